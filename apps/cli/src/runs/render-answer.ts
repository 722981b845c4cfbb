import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { type Line, line, toned } from "../terminal/line.ts";

/** Renders what a run answered: a text as it reads, anything else as JSON. */
export function renderAnswer(output: JsonValue): Line[] {
  const text = textOf(output) ?? JSON.stringify(output, null, 2);
  // Each line is ours at its beginning: an answer cannot look like a line of the command.
  return [line(toned("strong", "answer")), ...text.split(/\r?\n/).map((row) => line("  ", row))];
}

function textOf(output: JsonValue): string | undefined {
  if (typeof output === "string") return output;
  if (!isPlainObject(output)) return undefined;
  const { text, ...rest } = output;
  return typeof text === "string" && Object.keys(rest).length === 0 ? text : undefined;
}
