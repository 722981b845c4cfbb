import { LoopError, type RetryAdvice } from "@turnseal/protocol";

export const STORE_ERROR_CODES = [
  "STORE_UNREACHABLE",
  "STORE_FULL",
  "STORE_FORMAT_UNKNOWN",
  "STORE_CORRUPT",
  "STORE_NOT_REPLICATED",
  "STORE_READ_ONLY",
] as const;
export type StoreErrorCode = (typeof STORE_ERROR_CODES)[number];

const advice: Readonly<Record<StoreErrorCode, RetryAdvice>> = {
  STORE_UNREACHABLE: "retry",
  // Room does not come by itself: someone has to make it.
  STORE_FULL: "pause",
  STORE_FORMAT_UNKNOWN: "never",
  STORE_CORRUPT: "never",
  STORE_NOT_REPLICATED: "pause",
  STORE_READ_ONLY: "never",
};

/** A store failed. Either no part of the request is done, or all of it. */
export class StoreError extends LoopError<StoreErrorCode> {
  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super({ code, retry: advice[code], message, cause });
  }
}
