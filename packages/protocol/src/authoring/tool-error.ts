import { LoopError, type RetryAdvice } from "../error.ts";

export const TOOL_ERROR_CODES = ["TOOL_UNAVAILABLE", "TOOL_UNSURE"] as const;
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

const advice: Readonly<Record<ToolErrorCode, RetryAdvice>> = {
  TOOL_UNAVAILABLE: "retry",
  TOOL_UNSURE: "never",
};

/**
 * What a tool throws to say more than that it failed: that it did nothing and may be tried again,
 * or that it cannot tell whether it acted. Any other error means that it did not act.
 */
export class ToolError extends LoopError<ToolErrorCode> {
  constructor(code: ToolErrorCode, message: string) {
    super({ code, retry: advice[code], message });
  }
}
