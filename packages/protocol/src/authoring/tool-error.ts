import type { JsonObject, JsonValue } from "../canonical-json.ts";
import { LoopError, type RetryAdvice, readErrorFacts } from "../error.ts";

export const TOOL_ERROR_CODES = ["TOOL_NOT_DONE", "TOOL_UNAVAILABLE", "TOOL_NEEDS_ANSWER"] as const;
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

const advice: Readonly<Record<ToolErrorCode, RetryAdvice>> = {
  TOOL_NOT_DONE: "never",
  TOOL_UNAVAILABLE: "retry",
  TOOL_NEEDS_ANSWER: "never",
};

/**
 * Thrown by a tool that did nothing; `TOOL_UNAVAILABLE` also means that it may be retried. After
 * any other error, the action of a tool that does not only read is unknown.
 */
export class ToolError extends LoopError<ToolErrorCode> {
  constructor(code: ToolErrorCode, message: string) {
    super({ code, retry: advice[code], message });
  }
}

/**
 * The error of a tool that did nothing: it refused, or failed before it acted. Throw it only if
 * that is certain; the caller may try the action again.
 *
 * @example
 * if (balance < cents) throw notDone("there is not enough money");
 */
export function notDone(
  message: string,
  { mayRetry = false }: { readonly mayRetry?: boolean } = {},
): ToolError {
  return new ToolError(mayRetry ? "TOOL_UNAVAILABLE" : "TOOL_NOT_DONE", message);
}

/** True for such an error, also from another installed copy of this package. */
export function saysNotDone(error: unknown): boolean {
  const said = readErrorFacts(error).code;
  return TOOL_ERROR_CODES.some((code) => code === said);
}

/** The question of a tool that cannot act without its answer. */
export interface ToolQuestion {
  /** In words, for the person or the agent that gets it. */
  readonly question: string;
  /** The schema of the answer: that of an object. */
  readonly schema: JsonObject;
  /** Who answers; a person, unless it says otherwise. */
  readonly to?: "person" | "agent";
  /** The role that may answer. */
  readonly role?: string;
  /** How long an answer is waited for. Without it, there is no end. */
  readonly withinMs?: number;
  /** Given back with the answer, unread. */
  readonly state?: JsonValue;
}

class QuestionError extends ToolError {
  readonly asks: ToolQuestion;

  constructor(asks: ToolQuestion) {
    super("TOOL_NEEDS_ANSWER", "the tool needs an answer");
    this.asks = asks;
  }
}

/**
 * The error of a tool that did nothing, and needs an answer before it can act. The run waits, also
 * over restarts, and then calls the tool again with `context.answered`.
 *
 * @example
 * const { answered } = context;
 * if (answered === undefined)
 *   throw needsAnswer({ question: "Which account?", schema: accountSchema });
 */
export function needsAnswer(question: ToolQuestion): ToolError {
  return new QuestionError(question);
}

/** The unchecked question of such an error, also from another installed copy of this package. */
export function readQuestion(error: unknown): unknown {
  if (readErrorFacts(error).code !== "TOOL_NEEDS_ANSWER") return undefined;
  try {
    return (error as Partial<QuestionError>).asks ?? null;
  } catch {
    // A hostile error may throw when it is read.
    return null;
  }
}
