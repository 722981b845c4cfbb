import type { JsonValue } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import type { Outcome } from "../outcome.ts";

/**
 * Calls a loop one level deeper. Given by the caller, since a call runs a flow and a flow runs
 * calls.
 */
export type CallChild = (child: {
  readonly loop: CheckedLoop;
  readonly input: JsonValue;
  readonly call: string;
  readonly path: string;
}) => Promise<Outcome<JsonValue>>;
