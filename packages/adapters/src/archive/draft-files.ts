/**
 * Files of an archive until they are complete. Each name contains the final name: drafts of a
 * killed process have content, and an erasure must find them.
 */
import { randomUUID } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import { ifThere } from "../if-there.ts";
import { listDrafts } from "../old-drafts.ts";

/** Where they are. No name of an archive begins so. */
export const DRAFTS = ".drafts";
/**
 * Replaces a slash, and separates the part of one draft alone. Names of an archive never contain
 * it.
 */
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
