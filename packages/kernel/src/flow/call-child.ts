import type { CacheSpec, Grant, JsonValue, Proof } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import type { Hold } from "../hold.ts";
import type { Outcome } from "../outcome.ts";
import type { Branch } from "../resume/branch.ts";
import type { Recorder } from "../resume/recorder.ts";

export interface NarrowedGrant {
  readonly grant: Grant;
  readonly proof: Proof;
}

/**
 * Calls a loop one level deeper. Given by the caller, since a call runs a flow and a flow runs
 * calls.
 */
export type CallChild = (child: {
  readonly loop: CheckedLoop;
  readonly input: JsonValue;
  readonly call: string;
  readonly path: string;
  /** Its place in the definition. */
  readonly place: string;
  /** The thread of the prompt that asks for it; null where it has none. */
  readonly asker?: string | null;
  /** Its branch, if it is one of several parallel calls. */
  readonly branch?: Branch;
  /** The recorder of the call, if it differs from its caller's. */
  readonly recorder?: Recorder;
  /** True where its live output is hidden. */
  readonly isUnseen?: boolean;
  /** Where it is a member of a group. */
  readonly hold?: Hold;
  /** The cache that its node names. */
  readonly cache?: CacheSpec | undefined;
  /** When it has to have ended, where that is earlier than its caller has to. */
  readonly deadlineAt?: number;
  /** The grant of the call where it is narrower than its caller's, with the proof. */
  readonly narrowed?: NarrowedGrant;
}) => Promise<Outcome<JsonValue>>;
