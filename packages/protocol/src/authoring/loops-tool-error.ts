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

/** Why a tool did not run in a foreign agent loop. It has had no effect. */
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
 * Thrown when a foreign agent loop calls a tool that needs an approval first. Inside a run, the
 * same pause is a value, and nothing is thrown.
 *
 * Its description is content: it can be read, and is not printed with the error.
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

  /** The input that it would be executed with. */
  get input(): unknown {
    return this.#required.input;
  }

  /** The question for the person. */
  get description(): string {
    return this.#required.description;
  }
}
