import { isLoopError, type LoopError } from "@turnseal/protocol";

/** Failures of a writer that somebody else goes on in the place of: theirs is the next look. */
const passing: ReadonlySet<string> = new Set(["LOG_FENCED", "LOG_CONFLICT"]);

/** True for a failure that would be the same however often it were tried again. */
export function isFinalError(error: unknown): error is LoopError<string> {
  return isLoopError(error) && error.retry === "never" && !passing.has(error.code);
}
