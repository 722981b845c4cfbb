/**
 * Files of an archive until they are whole. Each has the name that it is to have in its own: what
 * somebody left who was killed has content, and has to be found by whoever erases it.
 */
import { randomUUID } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import { ifThere } from "../if-there.ts";
import { listDrafts } from "../old-drafts.ts";

/** Where they are. No name of an archive begins so. */
export const DRAFTS = ".drafts";
/** Stands for a slash, and before what is of one draft alone. No name of an archive has one. */
const MARK = "~";

/** A file for one put of a name. */
export function nameDraft(root: string, name: string): string {
  return join(root, DRAFTS, `${name.replaceAll("/", MARK)}${MARK}${randomUUID()}`);
}

/** Removes the drafts of some names. */
export async function removeDrafts(
  root: string,
  isMeant: (name: string) => boolean,
): Promise<void> {
  for (const file of await listDrafts(join(root, DRAFTS))) {
    const name = file.slice(0, file.lastIndexOf(MARK)).replaceAll(MARK, "/");
    if (isMeant(name)) await ifThere(() => promises.rm(join(root, DRAFTS, file)));
  }
}
