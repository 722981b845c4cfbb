import type { Readable } from "node:stream";
import { parseJsonText, readStream, readText } from "@turnseal/documents";

export interface InputOptions {
  readonly input?: string;
  readonly inputFile?: string;
  /** The input of an agent, in words. */
  readonly task?: string;
}

export type ReadInput =
  | { readonly kind: "read"; readonly value: unknown }
  | { readonly kind: "unusable"; readonly message: string };

/**
 * The input of a call: from the command line, from a file, or from standard input as `-`. An empty
 * object by default.
 */
export async function readInput(options: InputOptions, stdin: Readable): Promise<ReadInput> {
  const { input = "{}", inputFile, task } = options;
  if (task !== undefined) return { kind: "read", value: { task } };
  if (inputFile === undefined) return parseInput(input, "--input");
  const read = inputFile === "-" ? await readStream(stdin) : await readText(inputFile);
  if (read.kind === "refused") {
    return { kind: "unusable", message: `${inputFile}: ${read.message}` };
  }
  return parseInput(read.text, inputFile);
}

function parseInput(text: string, origin: string): ReadInput {
  const parsed = parseJsonText(text);
  if (parsed.kind === "parsed") return { kind: "read", value: parsed.value };
  const { line, column } = parsed.position;
  const place = `at line ${line}, column ${column}`;
  const message = `${origin} is not valid JSON: ${parsed.problem.message}, ${place}`;
  return { kind: "unusable", message };
}

/** A value of an option: JSON, or the name of a file with JSON after `@`. */
export async function readJsonOption(text: string, origin: string): Promise<ReadInput> {
  if (!text.startsWith("@")) return parseInput(text, origin);
  const file = text.slice(1);
  const read = await readText(file);
  if (read.kind === "refused") return { kind: "unusable", message: `${file}: ${read.message}` };
  return parseInput(read.text, file);
}
