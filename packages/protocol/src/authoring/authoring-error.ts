import { LoopError } from "../error.ts";

export const AUTHORING_ERROR_CODES = [
  "REFERENCE_MISPLACED",
  "SCHEMA_UNFIT",
  "TABLE_UNFIT",
  "TOOL_UNUSABLE",
  "WORKFLOW_UNFIT",
] as const;
export type AuthoringErrorCode = (typeof AUTHORING_ERROR_CODES)[number];

/** Something authored that cannot be written down as a document. */
export class AuthoringError extends LoopError<AuthoringErrorCode> {
  constructor(code: AuthoringErrorCode, message: string, cause?: unknown) {
    super({ code, retry: "never", message, ...(cause === undefined ? {} : { cause }) });
  }
}
