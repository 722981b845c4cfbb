import { LoopError, type RetryAdvice } from "../error.ts";

export const LOOPS_TOOL_ERROR_CODES = [
  "APPROVAL_REQUIRED",
  "TOOL_BLOCKED",
  "TOOL_INPUT_REFUSED",
  "TOOL_SECRET_MISSING",
] as const;
export type LoopsToolErrorCode = (typeof LOOPS_TOOL_ERROR_CODES)[number];

const advice: Readonly<Record<LoopsToolErrorCode, RetryAdvice>> = {
  APPROVAL_REQUIRED: "pause",
  TOOL_BLOCKED: "never",
  TOOL_INPUT_REFUSED: "never",
  TOOL_SECRET_MISSING: "pause",
};

/** Why a tool that was made for somebody else's loop did not run. Nothing was executed. */
export class LoopsToolError extends LoopError<LoopsToolErrorCode> {
  constructor(code: LoopsToolErrorCode, message: string) {
    super({ code, retry: advice[code], message });
  }
}

interface RequiredApproval {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
  readonly description: string;
}

/**
 * Thrown where a tool is called by somebody else's loop and a person has to be asked first. Inside
 * a run of ours the same pause is a value, and nothing is thrown.
 *
 * What it carries is content: it can be read, and is not printed with the error.
 */
export class ApprovalRequiredError extends LoopsToolError {
  readonly #required: RequiredApproval;

  constructor(required: RequiredApproval) {
    super("APPROVAL_REQUIRED", `${required.toolName} needs an approval first`);
    this.#required = required;
  }

  get toolName(): string {
    return this.#required.toolName;
  }

  get toolCallId(): string {
    return this.#required.toolCallId;
  }

  /** What it would be executed with. */
  get input(): unknown {
    return this.#required.input;
  }

  /** What a person is asked. */
  get description(): string {
    return this.#required.description;
  }
}
