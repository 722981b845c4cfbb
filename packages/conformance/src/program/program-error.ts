import { LoopError } from "@turnseal/protocol";

export const PROGRAM_ERROR_CODES = [
  "PROGRAM_NOT_STARTED",
  "PROGRAM_EXITED",
  "PROGRAM_TIMEOUT",
  "PROGRAM_LINE_TOO_LONG",
  "PROGRAM_ANSWER_INVALID",
  "PROGRAM_REFUSED",
] as const;
export type ProgramErrorCode = (typeof PROGRAM_ERROR_CODES)[number];

/** A program under test that did not answer as the protocol asks. */
export class ProgramError extends LoopError<ProgramErrorCode> {
  constructor(code: ProgramErrorCode, message: string) {
    super({ code, retry: "never", message });
  }
}
