import type { PeriodKind } from "./budget/period.ts";
import type { ConditionFailure, RuleReference } from "./policy/decision.ts";

/** Why a call ended as an error: a closed set, used in every surface (spec/errors.md). */
export const CALL_ERROR_CODES = [
  "INPUT_VALIDATION_FAILED",
  "OUTPUT_VALIDATION_FAILED",
  "LOOP_NOT_FOUND",
  "MAPPING_FAILED",
  "BACKEND_FAILED",
  "TOOL_FAILED",
  "CHILD_FAILED",
  "TIMEOUT",
  "CANCELLED",
  "POLICY_DENIED",
  "DEPTH_EXCEEDED",
  "BUDGET_EXCEEDED",
] as const;
export type CallErrorCode = (typeof CALL_ERROR_CODES)[number];

/** Faults of a request to a model, or of its answer: a closed set. */
export const ANSWER_FAULTS = [
  "ANSWER_BROKEN_OFF",
  "ANSWER_CUT_OFF",
  "ANSWER_EMPTY",
  "ANSWER_WITHHELD",
  "CONTEXT_TOO_LARGE",
  "FILE_NOT_TAKEN",
  "MODEL_DRIFTED",
  "TOOLS_NOT_OFFERED",
  "TOOLS_TOO_MANY",
] as const;
export type AnswerFault = (typeof ANSWER_FAULTS)[number];

/** The three codes that the reference runtime of LSEM knows. */
export const LSR_ERROR_CODES = [
  "INPUT_VALIDATION_FAILED",
  "OUTPUT_VALIDATION_FAILED",
  "EXECUTION_FAILED",
] as const;
export type LsrErrorCode = (typeof LSR_ERROR_CODES)[number];

/**
 * The record of an error. It never holds content: no input, no output, no text of a tool or a
 * model.
 */
export interface CallError {
  readonly code: CallErrorCode;
  readonly message: string;
  readonly details: CallErrorDetails;
}

export interface CallErrorDetails {
  readonly lsr: LsrErrorCode;
  /** For a failed validation: `path: message`, one each. */
  readonly problems?: readonly string[];
  /** For a path of a mapping that cannot be followed: the path as it was written. */
  readonly path?: string;
  /** For an expression of a mapping that gives no value: the expression as it was written. */
  readonly expression?: string;
  /** And why it gives none. */
  readonly failure?: ConditionFailure;
  /** For a denied action: why. */
  readonly denial?: string;
  /** For an action that the policy denied: the rule that did. */
  readonly rule?: RuleReference;
  /** For an exceeded budget: in which unit. */
  readonly unit?: string;
  /** The kind of period, for a cap of a period. */
  readonly period?: PeriodKind;
  /** For a model that answered, and not as asked: how. */
  readonly fault?: AnswerFault;
  /** For a wait of a flow that would last, or has lasted, too long: where it stands in it. */
  readonly wait?: string;
  /** For a failed step of a composite. */
  readonly step?: { readonly index: number; readonly loopId: string; readonly code: CallErrorCode };
}

/** Builds a call error; the code of LSR follows from ours. */
export function callError(
  code: CallErrorCode,
  message: string,
  details: Omit<CallErrorDetails, "lsr"> = {},
): CallError {
  return { code, message, details: { lsr: lsrCode(code), ...details } };
}

function lsrCode(code: CallErrorCode): LsrErrorCode {
  return code === "INPUT_VALIDATION_FAILED" || code === "OUTPUT_VALIDATION_FAILED"
    ? code
    : "EXECUTION_FAILED";
}
