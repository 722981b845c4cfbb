import { LoopError, type RetryAdvice } from "@turnseal/protocol";

export const KEYS_ERROR_CODES = [
  "KEYS_PERMISSIONS",
  "KEYS_UNREADABLE",
  "KEYS_BUSY",
  "KEYS_SETTINGS",
] as const;
export type KeysErrorCode = (typeof KEYS_ERROR_CODES)[number];

const advice: Readonly<Record<KeysErrorCode, RetryAdvice>> = {
  KEYS_PERMISSIONS: "pause",
  KEYS_UNREADABLE: "pause",
  KEYS_BUSY: "retry",
  KEYS_SETTINGS: "pause",
};

/**
 * Signing keys cannot be used as they are. Messages name files and variables, never what is in
 * them.
 */
export class KeysError extends LoopError<KeysErrorCode> {
  constructor(code: KeysErrorCode, message: string, cause?: unknown) {
    super({ code, retry: advice[code], message, cause });
  }
}
