/**
 * What a folder of values holds between two rewritings: the state at its beginning, and one
 * numbered file for each commit since then.
 *
 * 1. Whoever makes the file with the next number has made the commit: the file system lets one have
 *    it. There is no lock, so that nothing is left locked by a process that was killed.
 * 2. A generation is sealed by a commit like any other, and nothing comes after it. The next one
 *    begins with the state that everybody reads there, so that it is the same whoever writes it.
 * 3. One that is over is moved away as a whole: a process that is behind finds that it is gone, and
 *    not a gap to write into.
 */
import { randomUUID } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import type { RowChange, ValueRow } from "@turnseal/ports";
import { syncFolder, writeNewFile } from "../durable-files.ts";
import { codeOf, ifThere } from "../if-there.ts";

const { link, mkdir, readdir, readFile, rename, rm, stat } = promises;

/** What one commit has changed, or that the generation ends here. */
export type StoredCommit =
  | { readonly clear?: string; readonly changes: readonly RowChange[] }
  | { readonly isSeal: true };

export interface GenerationState {
  readonly version: number;
  readonly rows: readonly ValueRow[];
}

/** The folders of one tenant's values. */
export interface ValueFolders {
  readonly generations: string;
  readonly drafts: string;
}

const STATE = "state.json";

/** The newest generation; undefined where there is none yet. */
export async function findNewest({ generations }: ValueFolders): Promise<number | undefined> {
  const names = (await ifThere(() => readdir(generations))) ?? [];
  const numbers = names.map(Number).filter((number) => Number.isSafeInteger(number));
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

/** The state at its beginning; undefined where it has been moved away. */
export async function readState(
  folders: ValueFolders,
  generation: number,
): Promise<GenerationState | undefined> {
  const path = join(folders.generations, String(generation), STATE);
  const text = await ifThere(() => readFile(path, "utf8"));
  return text === undefined ? undefined : (JSON.parse(text) as GenerationState);
}

/** Begins a generation, unless somebody else has. What was before it goes. */
export async function beginGeneration(
  folders: ValueFolders,
  generation: number,
  state: GenerationState,
): Promise<void> {
  const draft = join(folders.drafts, randomUUID());
  await mkdir(draft, { mode: 0o700 });
  await writeNewFile(join(draft, STATE), JSON.stringify(state));
  await syncFolder(draft);
  try {
    await rename(draft, join(folders.generations, String(generation)));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!["EEXIST", "ENOTEMPTY", "EPERM"].includes(codeOf(error))) throw error;
  }
  await syncFolder(folders.generations);
  const over = join(folders.drafts, randomUUID());
  const before = join(folders.generations, String(generation - 1));
  await ifThere(() => rename(before, over));
  await rm(over, { recursive: true, force: true });
}

/**
 * The commit with a number: `none` where there is none yet, `gone` where the generation is no
 * longer there.
 */
export async function readCommit(
  folders: ValueFolders,
  generation: number,
  number: number,
): Promise<StoredCommit | "none" | "gone"> {
  const folder = join(folders.generations, String(generation));
  const text = await ifThere(() => readFile(join(folder, `${number}.json`), "utf8"));
  if (text !== undefined) return JSON.parse(text) as StoredCommit;
  // Asked afterwards: what has been moved away does not come back.
  return (await ifThere(() => stat(folder))) === undefined ? "gone" : "none";
}

/** Makes the commit with a number; false where somebody else has, or the generation is gone. */
export async function linkCommit(
  folders: ValueFolders,
  { generation, number }: { readonly generation: number; readonly number: number },
  commit: StoredCommit,
): Promise<boolean> {
  const folder = join(folders.generations, String(generation));
  const draft = join(folders.drafts, randomUUID());
  await writeNewFile(draft, JSON.stringify(commit));
  try {
    await link(draft, join(folder, `${number}.json`));
    await syncFolder(folder);
    return true;
  } catch (error) {
    if (["EEXIST", "ENOENT"].includes(codeOf(error))) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
