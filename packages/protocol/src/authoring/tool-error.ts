import { LoopError, type RetryAdvice, readErrorFacts } from "../error.ts";

export const TOOL_ERROR_CODES = ["TOOL_NOT_DONE", "TOOL_UNAVAILABLE"] as const;
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

const advice: Readonly<Record<ToolErrorCode, RetryAdvice>> = {
  TOOL_NOT_DONE: "never",
  TOOL_UNAVAILABLE: "retry",
};

/**
 * What a tool throws to say that it did nothing, and with `TOOL_UNAVAILABLE` also that it may be
 * tried again. After any other error nobody knows whether it acted, unless it only reads.
 */
export class ToolError extends LoopError<ToolErrorCode> {
  constructor(code: ToolErrorCode, message: string) {
    super({ code, retry: advice[code], message });
  }
}

/**
 * The error with which a tool says that it did nothing: it refused, or failed before it acted.
 * Throw it only where that is certain; whoever asked for the tool may ask again.
 *
 * @example
 * if (balance < cents) throw notDone("there is not enough money");
 */
export function notDone(
  message: string,
  { mayRetry = false }: { readonly mayRetry?: boolean } = {},
): ToolError {
  return new ToolError(mayRetry ? "TOOL_UNAVAILABLE" : "TOOL_NOT_DONE", message);
}

/** True for an error by which a tool says so, also one of another installed copy of ours. */
export function saysNotDone(error: unknown): boolean {
  const said = readErrorFacts(error).code;
  return TOOL_ERROR_CODES.some((code) => code === said);
}
