/**
 * Asks ripgrep in which files of a folder a text stands, where it is installed.
 *
 * 1. Its answer is checked like a path from anyone, and nothing of a file is taken from it. So a
 *    folder that is exchanged for a link meanwhile shows no file outside.
 * 2. Every doubt is no answer: a file that it cannot read, a limit, a version without an option.
 *    Then the folder is listed.
 * 3. A program that lies in the root is not ripgrep: an agent may have written it.
 */
import { spawn } from "node:child_process";
import { accessSync, constants, lstatSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type ListedEntry,
  ROOT_FILE_BYTES_MAX,
  SCAN_ENTRIES_MAX,
  type SearchedTexts,
} from "@turnseal/ports";
import { findPathFault } from "@turnseal/protocol/artifact";
import { hasLinkOnTheWay } from "./root-place.ts";
import { isLeftOut, type ScannedRoot } from "./scan-root.ts";

/** How long it may search. */
const SEARCH_MS_MAX = 10_000;
/** Bytes of its answer. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** UTF-16 units of all texts together, which are arguments. */
export const TEXTS_LENGTH_MAX = 4_096;
/** Paths that are checked before others have their turn. */
const STEP_PATHS = 512;

/** Everything is searched, as the list has everything; no file says otherwise. */
const OPTIONS = [
  ...["--no-config", "--no-ignore", "--hidden", "--no-follow", "--no-messages", "--no-mmap"],
  ...["--text", "--encoding=none", "--case-sensitive", "--files-with-matches", "--null"],
  `--max-filesize=${ROOT_FILE_BYTES_MAX}`,
];

/** The files; undefined where they are not known. */
export async function findHolding(
  root: ScannedRoot,
  folder: string,
  { texts, isLowered = false }: SearchedTexts,
): Promise<readonly ListedEntry[] | undefined> {
  const program = findProgram(root.folder);
  const { length } = texts.join("");
  if (program === undefined || texts.includes("") || texts.length === 0) return undefined;
  if (length > TEXTS_LENGTH_MAX) return undefined;
  const toPattern = isLowered ? toLoweredPattern : toExactPattern;
  const left = [...root.passed].filter((name) => /^[\w.-]+$/.test(name));
  const args = [
    ...OPTIONS,
    ...left.map((name) => `--iglob=!${name}`),
    ...texts.map((text) => `--regexp=${toPattern(text)}`),
    ...["--", "./"],
  ];
  const answer = await readAnswer(program, args, join(root.folder, folder));
  if (answer === undefined) return undefined;
  const before = folder === "" ? "" : `${folder}/`;
  const paths = answer.split("\0").slice(0, -1);
  if (paths.length > SCAN_ENTRIES_MAX) return undefined;
  const isFile = createFileCheck(root);
  const entries: ListedEntry[] = [];
  for (const [index, found] of paths.entries()) {
    const path = before + found.slice("./".length);
    if (isFile(path)) entries.push({ kind: "file", path });
    if (index % STEP_PATHS === 0) await setImmediate();
  }
  return entries;
}

/** Whether a path would be listed as a file. Each folder on the way is looked at once. */
function createFileCheck(root: ScannedRoot): (path: string) => boolean {
  const ways = new Map<string, boolean>();
  const isOpen = (folder: string): boolean => {
    const known = ways.get(folder);
    if (known !== undefined) return known;
    const isIn = !hasLinkOnTheWay(root.folder, `${folder}/.`) && !isLeftOut(root, folder);
    ways.set(folder, isIn);
    return isIn;
  };
  return (path) => {
    const at = path.lastIndexOf("/");
    if (findPathFault(path) !== undefined || isLeftOut(root, path.slice(at + 1))) return false;
    if (at >= 0 && !isOpen(path.slice(0, at))) return false;
    try {
      return lstatSync(`${root.folder}/${path}`, { throwIfNoEntry: false })?.isFile() === true;
    } catch {
      return false;
    }
  };
}

function findProgram(root: string): string | undefined {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    try {
      const program = realpathSync(join(folder, "rg"));
      if (program.startsWith(root + sep)) continue;
      accessSync(program, constants.X_OK);
      return program;
    } catch {
      // It is not there.
    }
  }
  return undefined;
}

function toExactPattern(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_]/gu, escapePoint);
}

/** Two characters outside of ASCII become letters of it: the sign of Kelvin, and İ. */
const ODD_CAPITALS: Readonly<Record<string, string>> = { k: "\\x{212a}", i: "\\x{130}" };

function toLoweredPattern(text: string): string {
  return text.replaceAll(/[^A-Z0-9_]/gu, (character) =>
    /[a-z]/.test(character)
      ? `[${character}${character.toUpperCase()}${ODD_CAPITALS[character] ?? ""}]`
      : escapePoint(character),
  );
}

function escapePoint(character: string): string {
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Its output, if it looked at everything. */
function readAnswer(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timeout = SEARCH_MS_MAX;
    const child = spawn(program, args, {
      ...{ cwd, env: {}, timeout, killSignal: "SIGKILL", stdio: ["ignore", "pipe", "ignore"] },
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    child.stdout?.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > ANSWER_BYTES_MAX) child.kill("SIGKILL");
      else parts.push(part);
    });
    child.on("error", () => resolve(undefined));
    // Else a program that it started would hold the pipe open.
    child.on("exit", (_, signal) => void (signal === null || child.stdout?.destroy()));
    // 1 says that nothing was found.
    child.on("close", (exit) => {
      const isWhole = (exit === 0 || exit === 1) && bytes <= ANSWER_BYTES_MAX;
      resolve(isWhole ? Buffer.concat(parts).toString("utf8") : undefined);
    });
  });
}
