import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { type Line, line, toned } from "../../terminal/line.ts";

const INDENT = "  ";

/**
 * Renders what a run answered: a text as it reads, anything else as JSON. Each row of a terminal
 * begins with what is ours, so that an answer cannot look like a line of the command.
 */
export function renderAnswer(output: JsonValue): Line[] {
  const text = textOf(output) ?? JSON.stringify(output, null, 2);
  const rows = text.split(/\r?\n/);
  return [line(toned("strong", "answer")), ...rows.map((row) => line(INDENT, row))];
}

function textOf(output: JsonValue): string | undefined {
  if (typeof output === "string") return output;
  if (!isPlainObject(output)) return undefined;
  const { text, ...rest } = output;
  return typeof text === "string" && Object.keys(rest).length === 0 ? text : undefined;
}
