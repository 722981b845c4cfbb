import { parseJsonText } from "./parse-json-text.ts";
import { readText } from "./read-text.ts";
import type { ReadFile } from "./source.ts";

/** Reads a loop document from a JSON file. */
export async function readDocument(file: string): Promise<ReadFile> {
  const read = await readText(file);
  if (read.kind === "refused") {
    const { rule, message, mend } = read;
    const position = { line: 1, column: 1 };
    return { sources: [], findings: [{ file, rule, path: "", message, mend, position }] };
  }
  const parsed = parseJsonText(read.text);
  if (parsed.kind === "refused") {
    const { problem, position } = parsed;
    return { sources: [], findings: [{ ...problem, file, position }] };
  }
  return { sources: [{ file, document: parsed.value, locate: parsed.locate }], findings: [] };
}
