/**
 * The names in `.git` that git itself may not write, since they name programs.
 *
 * 1. A name that exists is read-only. One that does not is covered, so that it cannot be made.
 * 2. `commondir` cannot be covered: git refuses a repository where it is empty. It is removed.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A name in `.git` that is covered. */
export interface GitGuard {
  readonly name: string;
  /** The number of the passed file; undefined for a folder that is not there. */
  readonly file?: number;
  /** True for a file that is not there: an empty one takes its place. */
  readonly isEmpty: boolean;
}

export interface HeldGit {
  readonly passed: readonly number[];
  readonly guards: readonly GitGuard[];
}

const GUARDED = {
  ...{ config: "file", "config.worktree": "file", hooks: "folder" },
  ...{ info: "folder", modules: "folder", worktrees: "folder" },
} as const;
const COMMON = ".git/commondir";
const IF_THERE = { throwIfNoEntry: false } as const;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Opens what is covered in this open `.git`; the numbers in the sandbox start at `first`. */
export function holdGit(opened: number, first: number): HeldGit | string {
  if (!fstatSync(opened).isDirectory()) return { passed: [], guards: [] };
  const git = `/proc/self/fd/${opened}`;
  if (lstatSync(`${git}/commondir`, IF_THERE) !== undefined)
    return `\`${COMMON}\` leads git to another folder: remove it, or commit by hand`;
  const passed: number[] = [];
  const guards: GitGuard[] = [];
  for (const [name, kind] of Object.entries(GUARDED)) {
    const found = openGuarded(`${git}/${name}`, kind);
    if (found === "other") {
      for (const file of passed) closeSync(file);
      return `\`.git/${name}\` is a link, or no ${kind}: make it a ${kind}`;
    }
    const isEmpty = found === undefined && kind === "file";
    const file = isEmpty ? openSync("/dev/null", O_RDONLY) : found;
    guards.push({ name, isEmpty, ...(file !== undefined && { file: first + passed.length }) });
    if (file !== undefined) passed.push(file);
  }
  return { passed, guards };
}

/** Removes what a command of git cannot be kept from making. */
export function clearGit(folder: string): void {
  if (lstatSync(join(folder, ".git"), IF_THERE)?.isDirectory() !== true) return;
  rmSync(join(folder, COMMON), { recursive: true, force: true });
}

function openGuarded(path: string, kind: string): number | undefined | "other" {
  const found = lstatSync(path, IF_THERE);
  if (found === undefined) return undefined;
  if (kind === "folder" ? !found.isDirectory() : !found.isFile()) return "other";
  const flags = kind === "folder" ? O_DIRECTORY : O_NONBLOCK;
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | flags);
  } catch {
    return "other";
  }
}
