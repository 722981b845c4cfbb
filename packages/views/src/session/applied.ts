import type { BlobRef, JsonValue } from "@turnseal/protocol";
import type { EnvelopeDraft } from "./envelope-draft.ts";
import type { SessionState } from "./session-state.ts";

/** The value behind a reference; undefined when it was erased, or where there is no reference. */
export type ReadContent = (reference: BlobRef | null | undefined) => JsonValue | undefined;

/** The result of an event: the state after it, and its envelopes for the session. */
export interface Applied {
  readonly state: SessionState;
  readonly drafts: readonly EnvelopeDraft[];
}
