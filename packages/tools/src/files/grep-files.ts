/**
 * Searches the lines of files.
 *
 * A pattern comes from a model, so it is matched by the automaton of the kernel, in time linear in
 * the text. A pattern without a special character is searched as bytes.
 */
import { compilePattern } from "@turnseal/kernel";
import { jsonSchema, notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
import { defineFileTool, type FilePlace, needFolder } from "./file-place.ts";
import { CONTEXT_LINES_MAX, MATCH_LENGTH_MAX, MATCHES_MAX, SEARCH_BYTES_MAX } from "./limits.ts";
import { FOLDER, findFiles, GLOB_PATTERN } from "./list-files.ts";

export interface GrepInput {
  readonly pattern: string;
  readonly folder?: string;
  readonly files?: string;
  readonly ignoreCase?: boolean;
  readonly context?: number;
}

export interface GrepOutput {
  readonly matches: readonly {
    readonly path: string;
    readonly line: number;
    readonly text: string;
  }[];
  readonly searched: number;
  readonly isWhole: boolean;
}

/** Files that are read at the same time. */
const READS_AT_ONCE = 16;
const SPECIAL = /[\\^$.*+?()[\]{}|]/;

/** Finds lines by a regular expression. */
export const grepFiles = (place: FilePlace) =>
  defineFileTool(place, {
    id: "grep",
    description:
      "Finds lines that match a regular expression (JavaScript, flag `u`, line by line), at most " +
      `${MATCHES_MAX} of them by path. \`isWhole\` is false if there may be more.`,
    effect: "read",
    input: jsonSchema<GrepInput>({
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1 },
        folder: FOLDER,
        files: GLOB_PATTERN,
        ignoreCase: { type: "boolean" },
        context: { type: "integer", minimum: 0, maximum: CONTEXT_LINES_MAX },
      },
      required: ["pattern"],
      additionalProperties: false,
    }),
    output: jsonSchema<GrepOutput>({ type: "object" }),
    needs: ({ folder = "" }) => [needFolder(place, folder)],
    run: async ({ folder = "", files = "**", context = 0, ...asked }, { artifacts, signal }) => {
      const search = compileSearch(asked);
      const paths = (await findFiles(artifacts, folder, files)).toSorted();
      return searchFiles({ artifacts, paths, search, context, signal });
    },
  });

interface Search {
  /** False for a file without a match, told without decoding it; undefined if that is not known. */
  readonly mayMatch: (bytes: Buffer) => boolean;
  readonly isMatch: (line: string) => boolean;
}

function compileSearch({ pattern, ignoreCase = false }: GrepInput): Search {
  if (!SPECIAL.test(pattern) && !ignoreCase)
    return {
      mayMatch: (bytes) => bytes.includes(pattern),
      isMatch: (line) => line.includes(pattern),
    };
  const compiled = compilePattern(toStrictSource(ignoreCase ? toLowerSource(pattern) : pattern));
  if (compiled.kind === "refused") throw notDone(`the pattern ${compiled.reason}`);
  const { test } = compiled;
  const isMatch = ignoreCase ? (line: string) => test(line.toLowerCase()) : test;
  return { mayMatch: () => true, isMatch };
}

/** Models escape more than the flag `u` allows. */
function toStrictSource(pattern: string): string {
  return pattern.replaceAll(/\\(["'`<>=!:;,@#%&~ ])/g, "$1");
}

function toLowerSource(pattern: string): string {
  return pattern.replaceAll(/\\p\{[^}]*\}|\\.|[^\\]+/gisu, (part) =>
    part.startsWith("\\") ? part : part.toLowerCase(),
  );
}

interface Searching {
  readonly artifacts: ToolArtifacts;
  readonly paths: readonly string[];
  readonly search: Search;
  readonly context: number;
  readonly signal: AbortSignal;
}

async function searchFiles(searching: Searching): Promise<GrepOutput> {
  const { paths, signal } = searching;
  const found = new Map<string, GrepOutput["matches"]>();
  let [bytes, searched, matches] = [0, 0, 0];
  const waiting = paths.values();
  const searchNext = async (): Promise<void> => {
    for (const path of waiting) {
      signal.throwIfAborted();
      const read = await searchFile(searching, path);
      bytes += read.bytes;
      searched += 1;
      if (read.matches.length > 0) found.set(path, read.matches);
      matches += read.matches.length;
      if (matches > MATCHES_MAX || bytes > SEARCH_BYTES_MAX) return;
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, searchNext));
  const all = [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    matches: all.flatMap(([, lines]) => lines).slice(0, MATCHES_MAX),
    searched,
    isWhole: searched === paths.length && matches <= MATCHES_MAX && bytes <= SEARCH_BYTES_MAX,
  };
}

async function searchFile({ artifacts, search, context }: Searching, path: string) {
  const read = await artifacts.read(path);
  if (read.kind === "refused") return { bytes: 0, matches: [] };
  const bytes = Buffer.from(read.bytes.buffer, read.bytes.byteOffset, read.bytes.length);
  const isText = !bytes.subarray(0, 8_000).includes(0);
  const matches = isText && search.mayMatch(bytes) ? findLines(bytes, search, context) : [];
  return {
    bytes: bytes.length,
    matches: matches.map(({ line, text }) => ({ path, line, text })),
  };
}

function findLines(bytes: Buffer, { isMatch }: Search, context: number) {
  const lines = bytes.toString("utf8").split(/\r?\n/);
  const shown = new Set<number>();
  let matches = 0;
  for (const [index, line] of lines.entries()) {
    if (!isMatch(line)) continue;
    for (let at = index - context; at <= index + context; at++) shown.add(at);
    matches += 1;
    if (matches > MATCHES_MAX) break;
  }
  return [...shown]
    .filter((index) => index >= 0 && index < lines.length)
    .toSorted((one, other) => one - other)
    .map((index) => ({ line: index + 1, text: cut(lines[index] ?? "") }));
}

function cut(line: string): string {
  return line.length <= MATCH_LENGTH_MAX
    ? line
    : `${line.slice(0, MATCH_LENGTH_MAX)}…`.toWellFormed();
}
