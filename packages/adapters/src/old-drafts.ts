/** Finds and removes drafts of killed processes. */
import { promises } from "node:fs";
import { join } from "node:path";
import { ifThere } from "./if-there.ts";

/** The age of an abandoned draft. */
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
