/** What a process that was killed has left in a folder of drafts. */
import { promises } from "node:fs";
import { join } from "node:path";
import { ifThere } from "./if-there.ts";

/** How old a draft is that nobody finishes any more. */
export const DRAFT_MS_MAX = 3_600_000;

export async function listDrafts(folder: string): Promise<readonly string[]> {
  return (await ifThere(() => promises.readdir(folder))) ?? [];
}

export async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await listDrafts(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = (await ifThere(() => promises.stat(path))) ?? { mtimeMs: Number.NaN };
    if (Date.now() - mtimeMs > DRAFT_MS_MAX)
      await promises.rm(path, { recursive: true, force: true });
  }
}
