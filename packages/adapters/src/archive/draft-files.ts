/**
 * Files of an archive until they are whole. Each has the name that it is to have in its own: what
 * somebody left who was killed has content, and has to be found by whoever erases it.
 */
import { randomUUID } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import { ifThere } from "../if-there.ts";

const { readdir, rm, stat } = promises;

/** Where they are. No name of an archive begins so. */
export const DRAFTS = ".drafts";
/** Stands for a slash, and before what is of one draft alone. No name of an archive has one. */
const MARK = "~";
/** How old a draft is that nobody finishes any more. */
const DRAFT_MS_MAX = 3_600_000;

/** A file for one put of a name. */
export function nameDraft(root: string, name: string): string {
  return join(root, DRAFTS, `${name.replaceAll("/", MARK)}${MARK}${randomUUID()}`);
}

/** Removes the drafts of some names. */
export async function removeDrafts(
  root: string,
  isMeant: (name: string) => boolean,
): Promise<void> {
  for (const file of await listDrafts(root)) {
    const name = file.slice(0, file.lastIndexOf(MARK)).replaceAll(MARK, "/");
    if (isMeant(name)) await ifThere(() => rm(join(root, DRAFTS, file)));
  }
}

export async function removeOldDrafts(root: string): Promise<void> {
  for (const file of await listDrafts(root)) {
    const path = join(root, DRAFTS, file);
    const { mtimeMs } = (await ifThere(() => stat(path))) ?? { mtimeMs: Number.NaN };
    if (Date.now() - mtimeMs > DRAFT_MS_MAX) await ifThere(() => rm(path));
  }
}

async function listDrafts(root: string): Promise<readonly string[]> {
  return (await ifThere(() => readdir(join(root, DRAFTS)))) ?? [];
}
