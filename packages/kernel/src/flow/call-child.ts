import type { Grant, JsonValue, Proof } from "@turnseal/protocol";
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
  /** Where it stands in the definition. */
  readonly place: string;
  /** The thread of the prompt that asks for it; null where it has none. */
  readonly asker?: string | null;
  /** Where it is one of several that run beside each other. */
  readonly branch?: Branch;
  /** Who records it, where that is not who records its caller. */
  readonly recorder?: Recorder;
  /** True where nobody is shown what it writes. */
  readonly isUnseen?: boolean;
  /** Where it is a member of a group. */
  readonly hold?: Hold;
  /** When it has to have ended, where that is earlier than its caller has to. */
  readonly deadlineAt?: number;
  /** What it may do, where that is less than its caller may, and the proof that it is. */
  readonly narrowed?: NarrowedGrant;
}) => Promise<Outcome<JsonValue>>;
