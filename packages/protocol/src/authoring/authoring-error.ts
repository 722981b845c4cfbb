import { LoopError } from "../error.ts";

export const AUTHORING_ERROR_CODES = ["REFERENCE_MISPLACED"] as const;
export type AuthoringErrorCode = (typeof AUTHORING_ERROR_CODES)[number];

/** A mapping function that cannot be written down as a document. */
export class AuthoringError extends LoopError<AuthoringErrorCode> {
  constructor(code: AuthoringErrorCode, message: string) {
    super({ code, retry: "never", message });
  }
}
