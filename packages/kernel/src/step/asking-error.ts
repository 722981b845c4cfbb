import type { ToolQuestion } from "@turnseal/protocol/authoring";

/** By the error itself: reading a foreign one may throw. */
const questions = new WeakMap<object, ToolQuestion>();

/** The error for a tool that did nothing, and needs an answer. The question is checked. */
export function askingError(question: ToolQuestion): Error {
  const error = new Error("the tool needs an answer");
  questions.set(error, question);
  return error;
}

/** The checked question of such an error. */
export function questionOf(error: unknown): ToolQuestion | undefined {
  return typeof error === "object" && error !== null ? questions.get(error) : undefined;
}
