/** The facts of a failure for a flow. A failed tool's words are foreign, and bounded here. */
import type { JsonObject } from "@turnseal/protocol";
import { FLOW_REASON_LENGTH_MAX } from "../../limits.ts";
import type { Failed } from "../../outcome.ts";
import { failureCodeOf } from "./run-tries.ts";

export function tellFailure(failed: Failed): JsonObject {
  const { message } = failed.error;
  return { code: failureCodeOf(failed), message, ...tellReason(failed) };
}

/** The reason of the failure, in the words of the tool or model. */
export function tellReason({ reason }: Failed): { reason?: string } {
  return reason === undefined
    ? {}
    : { reason: reason.slice(0, FLOW_REASON_LENGTH_MAX).toWellFormed() };
}
