import { LoopError, type RetryAdvice } from "@turnseal/protocol";

export const LOG_ERROR_CODES = [
  "LOG_FENCED",
  "LOG_CONFLICT",
  "LOG_CONTENT_CHANGED",
  "LOG_CONTENT_MISSING",
  "LOG_DRIFTED",
  "LOG_RULE_BROKEN",
] as const;
export type LogErrorCode = (typeof LOG_ERROR_CODES)[number];

const advice: Readonly<Record<LogErrorCode, RetryAdvice>> = {
  LOG_FENCED: "never",
  LOG_CONFLICT: "never",
  LOG_CONTENT_CHANGED: "never",
  LOG_CONTENT_MISSING: "never",
  LOG_DRIFTED: "never",
  LOG_RULE_BROKEN: "never",
};

/** The log cannot go on: another writer owns it, or its content differs from this code's. */
export class LogError extends LoopError<LogErrorCode> {
  constructor(code: LogErrorCode, message: string) {
    super({ code, retry: advice[code], message });
  }
}
