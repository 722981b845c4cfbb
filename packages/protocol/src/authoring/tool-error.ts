import { LoopError, type RetryAdvice, readErrorFacts } from "../error.ts";

export const TOOL_ERROR_CODES = ["TOOL_NOT_DONE", "TOOL_UNAVAILABLE"] as const;
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

const advice: Readonly<Record<ToolErrorCode, RetryAdvice>> = {
  TOOL_NOT_DONE: "never",
  TOOL_UNAVAILABLE: "retry",
};

/**
 * Thrown by a tool that did nothing; `TOOL_UNAVAILABLE` also means that it may be retried. After
 * any other error, the action of a tool that does not only read is unknown.
 */
export class ToolError extends LoopError<ToolErrorCode> {
  constructor(code: ToolErrorCode, message: string) {
    super({ code, retry: advice[code], message });
  }
}

/**
 * The error of a tool that did nothing: it refused, or failed before it acted. Throw it only if
 * that is certain; the caller may try the action again.
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

/** True for such an error, also from another installed copy of this package. */
export function saysNotDone(error: unknown): boolean {
  const said = readErrorFacts(error).code;
  return TOOL_ERROR_CODES.some((code) => code === said);
}
