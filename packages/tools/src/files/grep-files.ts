/**
 * Searches the lines of files.
 *
 * A pattern comes from a model, so it is matched by the automaton of the kernel, in time linear in
 * the text. Files that hold no text of the pattern are passed over: the root may know them without
 * reading, and of the others the bytes are searched first.
 */
import { setImmediate } from "node:timers/promises";
import { compilePattern } from "@turnseal/kernel";
import { jsonSchema, notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
import { defineFileTool, type FilePlace, needFolder } from "./file-place.ts";
import { CONTEXT_LINES_MAX, MATCH_LENGTH_MAX, MATCHES_MAX, SEARCH_BYTES_MAX } from "./limits.ts";
import { FOLDER, findFiles, GLOB_PATTERN, type SearchedTexts } from "./list-files.ts";

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
  readonly isWhole: boolean;
}

/** Files that are read before others have their turn. */
const STEP_FILES = 64;
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
      const paths = await findFiles(artifacts, folder, { pattern: files, holding: search.holding });
      return searchFiles({ artifacts, paths, search, context, signal });
    },
  });

interface Search {
  /** Texts of which one stands in every line that matches; undefined if none are known. */
  readonly holding: SearchedTexts | undefined;
  /** False for a file without a match, told without decoding it. */
  readonly mayMatch: (bytes: Buffer) => boolean;
  readonly isMatch: (line: string) => boolean;
}

function compileSearch({ pattern, ignoreCase = false }: GrepInput): Search {
  const isPlain = !SPECIAL.test(pattern) && !ignoreCase;
  const source = ignoreCase ? toLowerSource(pattern) : pattern;
  const compiled = isPlain
    ? { kind: "pattern" as const, test: (line: string) => line.includes(pattern), texts: [pattern] }
    : compilePattern(toStrictSource(source));
  if (compiled.kind === "refused") throw notDone(`the pattern ${compiled.reason}`);
  const { test, texts } = compiled;
  const isKnown = texts.length > 0 && texts.every((text) => isSearchable(text, ignoreCase));
  return {
    holding: isKnown ? { texts, isLowered: ignoreCase } : undefined,
    mayMatch: (bytes) => !isKnown || ignoreCase || texts.some((text) => bytes.includes(text)),
    isMatch: ignoreCase ? (line) => test(line.toLowerCase()) : test,
  };
}

/** True for a text that stands in a file exactly where its bytes do. */
function isSearchable(text: string, isLowered: boolean): boolean {
  if (isLowered && /[^ -~]/.test(text)) return false;
  // A broken byte is read as the sign for one.
  return text.isWellFormed() && !/[\p{Cc}\ufffd]/u.test(text);
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

/** One file after the other, so that the same files give the same answer. */
async function searchFiles(searching: Searching): Promise<GrepOutput> {
  const { paths, signal } = searching;
  const matches: GrepOutput["matches"][number][] = [];
  let [bytes, lines] = [0, 0];
  for (const [index, path] of paths.entries()) {
    signal.throwIfAborted();
    if (index % STEP_FILES === 0) await setImmediate();
    const read = await searchFile(searching, path);
    bytes += read.bytes;
    lines += read.matches.length;
    matches.push(...read.matches.slice(0, MATCHES_MAX - matches.length));
    if (lines > MATCHES_MAX || bytes > SEARCH_BYTES_MAX) return { matches, isWhole: false };
  }
  return { matches, isWhole: true };
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
