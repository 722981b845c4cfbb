/** The question of a tool, as it comes across the trust boundary (spec/approval.md §5.7). */
import { isPlainObject, isPlainText, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { notDone, readQuestion, type ToolQuestion } from "@turnseal/protocol/authoring";
import { findQuestionFault } from "../definition/check-question.ts";
import { checkSchema } from "../definition/check-schema.ts";
import { createReport } from "../definition/report.ts";
import { TOOL_QUESTION_BYTES_MAX, TOOL_QUESTION_LENGTH_MAX } from "../limits.ts";
import { askingError } from "../step/asking-error.ts";
import { copyRedacted, type Redactor } from "./redact.ts";

/** The error in place of a tool's own, where that asks; undefined where it does not. */
export function readAsking(error: unknown, redactor: Redactor): Error | undefined {
  const asks = readQuestion(error);
  if (asks === undefined) return undefined;
  const copied = copyRedacted(asks, TOOL_QUESTION_BYTES_MAX, redactor);
  const fault = copied.kind === "refused" ? copied.reason : findFault(copied.value);
  if (copied.kind === "copied" && fault === undefined)
    return askingError(copied.value as unknown as ToolQuestion);
  return notDone(`the question of the tool cannot be asked: ${fault}`);
}

const NAMES = ["question", "schema", "to", "role", "withinMs", "state"];

function findFault(asks: JsonValue): string | undefined {
  if (!isPlainObject(asks)) return "it is no object";
  const { question, schema } = asks;
  const unknown = Object.keys(asks).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) return "it has an unknown field";
  if (!isPlainText(question, TOOL_QUESTION_LENGTH_MAX) || question === "")
    return `\`question\` is no text of 1 to ${TOOL_QUESTION_LENGTH_MAX} characters`;
  return findQuestionFault(asks) ?? findSchemaFault(schema);
}

function findSchemaFault(schema: JsonValue | undefined): string | undefined {
  if (!isPlainObject(schema) || (schema as JsonObject)["type"] !== "object")
    return "`schema` is no schema of an object";
  const report = createReport();
  checkSchema(schema, "/schema", report);
  return report.problems[0]?.message;
}
