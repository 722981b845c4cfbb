import type { BlobRef, JsonValue } from "@turnseal/protocol";
import type { EnvelopeDraft } from "./envelope-draft.ts";
import type { SessionState } from "./session-state.ts";

/** The value behind a reference; undefined when it was erased, or where there is no reference. */
export type ReadContent = (reference: BlobRef | null | undefined) => JsonValue | undefined;

/** What an event did: the state after it, and what it gives to the session. */
export interface Applied {
  readonly state: SessionState;
  readonly drafts: readonly EnvelopeDraft[];
}
