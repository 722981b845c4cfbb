/**
 * A folder of values between two rewritings: the state at its beginning, and one numbered file for
 * each commit since then.
 *
 * 1. Creating the file with the next number makes the commit: the file system lets one process
 *    succeed. There is no lock, so a killed process leaves none.
 * 2. A commit seals a generation and names the next one; nothing comes after it. The state at the
 *    beginning of the next one is written before, as a prepared generation that is not read yet. If
 *    there are several, the seal decides for one. The first of all is named by a seal that belongs
 *    to none, and stays.
 * 3. No two generations ever have the same name, and only the seal gives a name. So a generation
 *    that is over, and moved away as a whole, never comes back. A slow process finds it gone, and
 *    no gap to write into.
 */
import { randomUUID } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import { type RowChange, StoreError, type ValueRow } from "@turnseal/ports";
import { syncFolder, writeNewFile } from "../durable-files.ts";
import { ifThere, systemCodeOf } from "../if-there.ts";

/** The changes of one commit, or a seal: the end of the generation, with the name of the next. */
export type StoredCommit =
  | { readonly clear?: string; readonly changes: readonly RowChange[] }
  | Seal;

export interface Seal {
  readonly next: string;
}

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
const FIRST = "first.json";
const PREPARED = "next-";

/** The place of a generation in their order: its name begins with it. */
export function numberOf(generation: string): number {
  return Number.parseInt(generation, 10);
}

/** The newest generation; undefined where there is none yet. */
export async function findNewest({ generations }: ValueFolders): Promise<string | undefined> {
  const names = (await ifThere(() => promises.readdir(generations))) ?? [];
  return names
    .filter((name) => /^[1-9]\d*-/.test(name))
    .sort((one, other) => numberOf(one) - numberOf(other))
    .at(-1);
}

/** The state at its beginning; undefined where it has been moved away. */
export async function readState(
  folders: ValueFolders,
  generation: string,
): Promise<GenerationState | undefined> {
  const path = join(folders.generations, generation, STATE);
  const text = await ifThere(() => promises.readFile(path, "utf8"));
  return text === undefined ? undefined : (JSON.parse(text) as GenerationState);
}

/** Writes a generation that a seal can name; undefined where another has been decided for. */
export async function prepareGeneration(
  { generations }: ValueFolders,
  number: number,
  state: GenerationState,
): Promise<Seal | undefined> {
  const next = `${number}-${randomUUID()}`;
  const folder = join(generations, `${PREPARED}${next}`);
  await promises.mkdir(folder, { mode: 0o700 });
  // Others take away what is prepared once its number is decided.
  return ifThere(async () => {
    await writeNewFile(join(folder, STATE), JSON.stringify(state));
    await syncFolder(folder);
    await syncFolder(generations);
    return { next };
  });
}

/** Gives the generation that a seal names its name, unless somebody else has. The others go. */
export async function beginGeneration(folders: ValueFolders, { next }: Seal): Promise<void> {
  const { generations } = folders;
  const prepared = join(generations, `${PREPARED}${next}`);
  await ifThere(() => promises.rename(prepared, join(generations, next)));
  await syncFolder(generations);
  for (const name of await promises.readdir(generations)) {
    const isPrepared = name.startsWith(PREPARED);
    const number = numberOf(isPrepared ? name.slice(PREPARED.length) : name);
    if (number < numberOf(next) || (isPrepared && number === numberOf(next)))
      await removeGeneration(folders, name);
  }
}

/** The seal before the first generation; undefined where there is none yet. */
export async function readFirst({ generations }: ValueFolders): Promise<Seal | undefined> {
  const text = await ifThere(() => promises.readFile(join(generations, FIRST), "utf8"));
  return text === undefined ? undefined : (JSON.parse(text) as Seal);
}

/** Decides for a first generation; nothing happens where one has been decided for. */
export async function linkFirst(folders: ValueFolders, seal: Seal): Promise<void> {
  await linkNew(folders, join(folders.generations, FIRST), seal);
  await syncFolder(folders.generations);
}

/**
 * The commit with a number: `none` where there is none yet, `gone` where the generation is no
 * longer there.
 */
export async function readCommit(
  folders: ValueFolders,
  generation: string,
  number: number,
): Promise<StoredCommit | "none" | "gone"> {
  const folder = join(folders.generations, generation);
  const text = await ifThere(() => promises.readFile(join(folder, `${number}.json`), "utf8"));
  if (text !== undefined) return JSON.parse(text) as StoredCommit;
  // Asked afterwards: what has been moved away does not come back.
  return (await ifThere(() => promises.stat(folder))) === undefined ? "gone" : "none";
}

/** Where a commit is to be: the number after the last that its maker knows. */
export interface CommitPlace {
  readonly generation: string;
  readonly number: number;
}

/** Seals a generation, unless another process has: a later read finds out. */
export async function linkSeal(
  folders: ValueFolders,
  { generation, number }: CommitPlace,
  seal: Seal,
): Promise<void> {
  const folder = join(folders.generations, generation);
  await linkNew(folders, join(folder, `${number}.json`), seal);
  await ifThere(() => syncFolder(folder));
}

/** Makes the commit with a number; false where somebody else has, or the generation is gone. */
export async function linkCommit(
  folders: ValueFolders,
  { generation, number }: CommitPlace,
  commit: StoredCommit,
): Promise<boolean> {
  const folder = join(folders.generations, generation);
  if (!(await linkNew(folders, join(folder, `${number}.json`), commit))) return false;
  // Just gone: with others' commits after this one, or before the name was made. Neither answer
  // would be certainly true, and after `false` the caller would try again.
  if ((await ifThere(() => syncFolder(folder).then(() => true))) === undefined)
    throw new StoreError("STORE_UNREACHABLE", "values were rewritten during this write: read them");
  return true;
}

/** Makes a file whole or not at all; false where one is there, or its folder is not. */
async function linkNew(folders: ValueFolders, path: string, body: object): Promise<boolean> {
  const draft = join(folders.drafts, randomUUID());
  await writeNewFile(draft, JSON.stringify(body));
  try {
    await promises.link(draft, path);
    return true;
  } catch (error) {
    if (["EEXIST", "ENOENT"].includes(systemCodeOf(error))) return false;
    throw error;
  } finally {
    await promises.rm(draft, { force: true });
  }
}

/** Moves it away as a whole before its files go: readers never see a part of it. */
async function removeGeneration(folders: ValueFolders, name: string): Promise<void> {
  const over = join(folders.drafts, randomUUID());
  await ifThere(() => promises.rename(join(folders.generations, name), over));
  await promises.rm(over, { recursive: true, force: true });
}
