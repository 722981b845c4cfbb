/**
 * An archive in a folder: one file under each name.
 *
 * A file is written under another name, made durable, and then renamed. So a killed writer leaves
 * the earlier file. A file holds content, so only its owner may read it.
 */
import { promises } from "node:fs";
import { join, resolve } from "node:path";
import { ARCHIVE_LIST_MAX, type Archive, checkArchiveName, isArchiveName } from "@turnseal/ports";
import { attemptWith, syncFolder, writeNewFile } from "../durable-files.ts";
import { ifThere, systemCodeOf } from "../if-there.ts";
import { removeOldDrafts } from "../old-drafts.ts";
import { DRAFTS, nameDraft, removeDrafts } from "./draft-files.ts";

const { mkdir, readdir, readFile, rename, rm } = promises;

/**
 * The most attempts to write a file whose drafts other processes remove: each of them does so once.
 */
const DRAFTS_MAX = 16;

/** Opens a folder, which is made when something is put. */
export function folderArchive(folder: string): Archive {
  const root = resolve(folder);
  const made = new Set<string>();
  const pathOf = (name: string): string => join(root, ...checkArchiveName(name).split("/"));
  const attempt = attemptWith(`the archive ${root}`);
  return {
    place: root,
    put: async (name, bytes) => {
      const path = pathOf(name);
      await attempt(async () => {
        if (made.size === 0) await removeOldDrafts(join(root, DRAFTS));
        await makeFolders(root, join(path, ".."), made);
        await removeDrafts(root, (of) => of === name);
        await write(() => nameDraft(root, name), path, bytes);
      });
    },
    get: async (name) => {
      const path = pathOf(name);
      return attempt(() => ifThere(async () => Uint8Array.from(await readFile(path))));
    },
    list: async (prefix, after = "") => {
      const names: string[] = [];
      await attempt(() => walk(root, "", { prefix, after, names }));
      return names;
    },
    remove: async (name) => {
      const path = pathOf(name);
      await attempt(async () => {
        await removeDrafts(root, (of) => of === name);
        await ifThere(() => rm(path));
        await ifThere(() => syncFolder(join(path, "..")));
      });
    },
    removeUnfinished: (prefix) =>
      attempt(() => removeDrafts(root, (name) => name.startsWith(prefix))),
  };
}

async function write(nextDraft: () => string, path: string, bytes: Uint8Array): Promise<void> {
  for (let drafts = 1; ; drafts++) {
    const draft = nextDraft();
    try {
      await writeNewFile(draft, bytes);
      await rename(draft, path);
      break;
    } catch (error) {
      await ifThere(() => rm(draft));
      // Another process removed the draft: a writer of the same name, or an erasure of leftovers.
      if (systemCodeOf(error) !== "ENOENT" || drafts >= DRAFTS_MAX) throw error;
    }
  }
  await syncFolder(join(path, ".."));
}

/** Makes a folder and its parents, each durable in its own parent. */
async function makeFolders(root: string, folder: string, made: Set<string>): Promise<void> {
  if (made.has(folder)) return;
  await mkdir(join(root, DRAFTS), { recursive: true, mode: 0o700 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let at = folder; at.startsWith(root); at = join(at, "..")) {
    await syncFolder(join(at, ".."));
    if (at === root) break;
  }
  made.add(folder);
}

interface Walk {
  readonly prefix: string;
  readonly after: string;
  readonly names: string[];
}

/** Adds the names under a folder, in order, without looking where none can be. */
async function walk(root: string, under: string, wanted: Walk): Promise<void> {
  const { prefix, after, names } = wanted;
  const path = join(root, ...under.split("/").filter((part) => part !== ""));
  const entries = (await ifThere(() => readdir(path, { withFileTypes: true }))) ?? [];
  const found = entries
    // A file with a foreign name was put there by somebody else.
    .filter(({ name }) => isArchiveName(name))
    // In the order of whole names: what is in a folder comes where its slash does.
    .map((entry) => (entry.isDirectory() ? `${under}${entry.name}/` : `${under}${entry.name}`))
    .sort();
  for (const name of found) {
    if (names.length >= ARCHIVE_LIST_MAX) return;
    if (!name.startsWith(prefix) && !(name.endsWith("/") && prefix.startsWith(name))) continue;
    if (!name.endsWith("/")) {
      if (name > after) names.push(name);
    } else if (`${name}\uffff` > after) await walk(root, name, wanted);
  }
}
