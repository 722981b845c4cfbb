import { isLoopError, type LoopError } from "@turnseal/protocol";

/** Failures of a writer that was replaced: the next look is the new writer's. */
const passing: ReadonlySet<string> = new Set(["LOG_FENCED", "LOG_CONFLICT"]);

/** True for a failure that a retry cannot fix. */
export function isFinalError(error: unknown): error is LoopError<string> {
  return isLoopError(error) && error.retry === "never" && !passing.has(error.code);
}
