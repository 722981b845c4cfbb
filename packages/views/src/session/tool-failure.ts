/**
 * How a tool failed, as one text: for people to read, and for a replay to read back.
 *
 * `TOOL_FAILED: the disk is full`, or the code with a line for each problem. A text has one reading
 * only, so that the message that the model was sent can be made from it again.
 */
import { isPlainObject, type JsonObject, type JsonValue, textOf } from "@turnseal/protocol";
import { TOOL_ASK_ERRORS } from "@turnseal/protocol/trace";

/** Writes a failure as the model saw it. */
export function formatToolFailure(told: JsonValue | undefined): string {
  if (!isPlainObject(told) || typeof told["error"] !== "string") return "TOOL_FAILED";
  const { error, problems, reason } = told;
  const lines = Array.isArray(problems)
    ? problems.map((problem) => `\n- ${textOf(problem).replaceAll("\n", "\n  ")}`).join("")
    : "";
  if (typeof reason !== "string") return `${error}${lines}`;
  return lines === "" ? `${error}: ${reason}` : `${error}${lines}\n\n${reason}`;
}

const withReason = /^([A-Z_]+): ([\s\S]*)$/;
const withProblems = /^([A-Z_]+)((?:\n(?:- | {2})[^\n]*)*)(?:\n\n([\s\S]*))?$/;

/** Failures that say nothing but their name. */
const plainFailures: ReadonlySet<string> = new Set(TOOL_ASK_ERRORS);

/** Reads a failure back; unreadable text is a failure in these words. */
export function parseToolFailure(text: string): JsonObject {
  const reasoned = withReason.exec(text);
  if (reasoned !== null) {
    const [, error = "", reason = ""] = reasoned;
    return { error, problems: [], reason };
  }
  const listed = withProblems.exec(text);
  if (listed === null) return { error: text };
  const [, error = "", lines = "", reason] = listed;
  if (plainFailures.has(error)) return { error };
  const problems = lines === "" ? [] : lines.slice(3).split("\n- ");
  return {
    error,
    problems: problems.map((problem) => problem.replaceAll("\n  ", "\n")),
    ...(reason === undefined ? {} : { reason }),
  };
}
