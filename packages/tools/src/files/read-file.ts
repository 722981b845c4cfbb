import { jsonSchema, notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
import { refusedFile } from "./explain-refusal.ts";
import { defineFileTool, type FilePlace, needFile } from "./file-place.ts";
import { READ_LENGTH_MAX, READ_LINES_MAX } from "./limits.ts";

export interface ReadInput {
  readonly path: string;
  readonly from?: number;
  readonly lines?: number;
}

export interface ReadOutput {
  readonly path: string;
  readonly version: string;
  readonly text: string;
  readonly lines: number;
  readonly next?: number;
}

export const PATH = { type: "string", minLength: 1, description: "From the root: `src/main.ts`" };
export const VERSION = { type: "string", description: "The `version` that `read` answered" };

/** Reads lines of a text file. */
export const readFile = (place: FilePlace) =>
  defineFileTool(place, {
    id: "read",
    description:
      "Reads a text file. Answers its text, its number of lines and its `version`, which an edit " +
      "needs. A long file comes in parts: `next` is the line where the next part begins.",
    effect: "read",
    input: jsonSchema<ReadInput>({
      type: "object",
      properties: {
        path: PATH,
        from: { type: "integer", minimum: 1, description: "The first line, from 1" },
        lines: { type: "integer", minimum: 1, maximum: READ_LINES_MAX },
      },
      required: ["path"],
      additionalProperties: false,
    }),
    output: jsonSchema<ReadOutput>({ type: "object" }),
    needs: ({ path }) => [needFile(place, "read", path)],
    run: async ({ path, from = 1, lines = READ_LINES_MAX }, { artifacts }) => {
      const { text, digest } = await readText(artifacts, path);
      const all = splitLines(text);
      if (from > 1 && from > all.length)
        throw notDone(`${path} has ${all.length} lines, and line ${from} is not among them`);
      const part = takeLines(all.slice(from - 1), lines);
      const next = from + part.count;
      return {
        ...{ path, version: digest, text: part.text, lines: all.length },
        ...(next > all.length ? {} : { next }),
      };
    },
  });

/** Reads a whole text file. Throws if it is none. */
export async function readText(artifacts: ToolArtifacts, path: string) {
  const read = await artifacts.read(path);
  if (read.kind === "refused") throw refusedFile(path, read.reason);
  const text = decodeText(read.bytes);
  if (text === undefined) throw notDone(`${path} is not a text in UTF-8`);
  return { text, digest: read.digest, bytes: read.bytes };
}

/** The text of bytes in UTF-8; undefined for other bytes. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    // The mark of the byte order stays: an edit must leave it as it was.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Lines with their ends: joined, they are the text. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function takeLines(lines: readonly string[], most: number) {
  let text = "";
  let count = 0;
  for (const line of lines.slice(0, most)) {
    if (count > 0 && text.length + line.length > READ_LENGTH_MAX) break;
    text += line;
    count += 1;
  }
  return { text: text.slice(0, READ_LENGTH_MAX).toWellFormed(), count };
}
