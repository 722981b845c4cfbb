/**
 * Logs in a folder, one file for each entry. Creating the file with the next number claims that
 * number: the file system lets one process succeed. No file is ever written again.
 */
import { createHash, randomUUID } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import type { EntryRow } from "@turnseal/ports";
import { syncFolder, writeNewFile } from "../durable-files.ts";
import { ifThere, systemCodeOf } from "../if-there.ts";
import { removeOldDrafts } from "../old-drafts.ts";

const { link, mkdir, readdir, readFile, rm } = promises;

export interface FolderLogs {
  append(log: string, body: string): Promise<number>;
  read(log: string, from: number, limit: number): Promise<readonly EntryRow[]>;
}

export function folderLogs(root: string, drafts: string): FolderLogs {
  /** The last numbers that this process knows of. */
  const known = new Map<string, number>();
  // A name can be longer than one of a file, and have characters that mean something in a path.
  const folderOf = (log: string) => join(root, createHash("sha256").update(log).digest("hex"));
  return {
    append: async (log, body) => {
      const folder = folderOf(log);
      if (known.size === 0) await removeOldDrafts(drafts);
      if (!known.has(log)) {
        for (const path of [folder, drafts]) await mkdir(path, { recursive: true, mode: 0o700 });
        for (const path of [root, join(root, "..")]) await syncFolder(path);
        known.set(log, await findLast(folder));
      }
      const draft = join(drafts, randomUUID());
      await writeNewFile(draft, body);
      try {
        const number = await takeNumber(draft, folder, known.get(log) ?? 0);
        known.set(log, Math.max(number, known.get(log) ?? 0));
        await syncFolder(folder);
        return number;
      } finally {
        await rm(draft, { force: true });
      }
    },
    read: async (log, from, limit) => {
      const entries: EntryRow[] = [];
      for (let number = from; entries.length < limit; number++) {
        const path = join(folderOf(log), `${number}.json`);
        const body = await ifThere(() => readFile(path, "utf8"));
        if (body === undefined) break;
        entries.push({ number, body });
      }
      return entries;
    },
  };
}

async function findLast(folder: string): Promise<number> {
  const names = await readdir(folder);
  return names.reduce((last, name) => Math.max(last, Number.parseInt(name, 10) || 0), 0);
}

async function takeNumber(draft: string, folder: string, after: number): Promise<number> {
  for (let number = after + 1; ; number++) {
    try {
      await link(draft, join(folder, `${number}.json`));
      return number;
    } catch (error) {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    }
  }
}
