/** Renders the problems of an output for the model. */
import type { ModelMessage } from "@turnseal/protocol";
import { formatProblem } from "../definition/format-problem.ts";

export function renderProblems(problems: readonly string[]): ModelMessage {
  const lines = [
    "The answer does not match the schema that was asked for:",
    ...problems.map((problem) => `- ${formatProblem(problem)}`),
    "Answer again with the whole value as JSON, and with nothing else.",
  ];
  return { role: "user", text: lines.join("\n"), origin: "repair" };
}
