import { LoopError } from "@turnseal/protocol";

export const SECRET_ERROR_CODES = ["SECRET_MISSING", "SECRET_UNUSABLE"] as const;
export type SecretErrorCode = (typeof SECRET_ERROR_CODES)[number];

/** A tool that was not executed for want of a secret. The message names it, and holds no value. */
export class SecretError extends LoopError<SecretErrorCode> {
  constructor(code: SecretErrorCode, message: string) {
    super({ code, retry: "pause", message });
  }
}
