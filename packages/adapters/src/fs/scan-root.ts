/**
 * Lists the entries at paths and in folders of a root.
 *
 * 1. A scan compares the file system's facts about a file with those from when its digest was
 *    taken. If they are equal, the digest is reused, and the file is not opened.
 * 2. A file that changed shortly before its digest was taken does not count as known: clocks of
 *    file systems are coarse, so that the next change may look like the last.
 * 3. Looking is done in short steps of many files, since a question at a time is slow, and others
 *    have their turn in between. Digests are taken of few files at once, each in small parts.
 * 4. Scans of one root follow each other: each leaves its number at the known files that it noted,
 *    at half the price of a list.
 */
import { lstatSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type Digester, type FileScan, SCAN_ENTRIES_MAX, type ScanRequest } from "@turnseal/ports";
import { findPathFault, foldPath, type ObservedEntry } from "@turnseal/protocol/artifact";
import { systemCodeOf } from "../if-there.ts";
import { digestFile, toEntry } from "./digest-file.ts";
import { isSameMark } from "./file-mark.ts";
import type { KnownFile, KnownFiles } from "./known-files.ts";
import { hasLinkOnTheWay, listNames } from "./root-place.ts";

/** How long a change must lie back for a digest to be kept. */
const SETTLED_MS = 2_000;
/** Questions to the file system before others have their turn. */
const STEP_QUESTIONS = 512;
/** Files that are read at the same time. */
const READS_AT_ONCE = 8;
/** Files that are being written begin so, and are nobody's. */
export const DRAFT_PREFIX = ".turnseal-draft-";

export interface ScannedRoot {
  readonly folder: string;
  readonly createDigester: () => Digester;
  /** Names of folders that are not looked into, folded: on some platforms case is nothing. */
  readonly passed: ReadonlySet<string>;
  readonly known: KnownFiles;
  /** How many there have been. */
  scans: number;
}

/** True for a path with a name in it that is no part of the root. */
export function isLeftOut({ passed }: ScannedRoot, path: string): boolean {
  return path
    .split("/")
    .some((name) => name.startsWith(DRAFT_PREFIX) || passed.has(foldPath(name)));
}

interface Search {
  readonly root: ScannedRoot;
  readonly entries: ObservedEntry[];
  /** Files whose digest must be taken. */
  readonly unread: string[];
  /** Known files that were noted have its number; every other path that was is here. */
  readonly number: number;
  readonly seen: Set<string>;
  noted: number;
  unnamed: number;
}

/** Scans a root. No other scan of it may be under way. */
export async function scanRoot(root: ScannedRoot, request: ScanRequest): Promise<FileScan> {
  const { paths = [], folders = [] } = request;
  root.scans += 1;
  const search: Search = {
    ...{ root, entries: [], unread: [] },
    ...{ number: root.scans, seen: new Set<string>(), noted: 0, unnamed: 0 },
  };
  if (lstatSync(root.folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { kind: "refused", reason: "absent" };
  const isComplete = (await searchFolders(search, folders)) && (await searchPaths(search, paths));
  if (!isComplete) return { kind: "refused", reason: "too-many" };
  await readFiles(search);
  return { kind: "scanned", entries: search.entries, unnamed: search.unnamed };
}

/** Looks into folders and all below them; false where there is too much. */
async function searchFolders(search: Search, folders: readonly string[]): Promise<boolean> {
  const waiting: string[] = [];
  for (const folder of folders)
    if (folder === "" || !hasLinkOnTheWay(search.root.folder, `${folder}/.`)) waiting.push(folder);
    else search.entries.push({ kind: "link", path: folder });
  let questions = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const before = folder === "" ? "" : `${folder}/`;
    const known = search.root.known.listIn(folder);
    for (const name of listFolder(search, folder)) {
      if (lookForName(search, { before, name, known: known.get(name) }) === "folder")
        waiting.push(before + name);
      questions += 1;
      if (questions % STEP_QUESTIONS === 0) await setImmediate();
    }
    if (search.noted > SCAN_ENTRIES_MAX) return false;
  }
  return true;
}

interface FoundName {
  /** The beginning of its path. */
  readonly before: string;
  readonly name: string;
  readonly known: KnownFile | undefined;
}

function lookForName(search: Search, { before, name, known }: FoundName): "folder" | "noted" {
  // Known files passed the other checks before.
  if (known !== undefined) return lookAt(search, known.entry.path, known);
  if (isLeftOut(search.root, name)) return "noted";
  const path = before + name;
  if (findPathFault(path) === undefined) return lookAt(search, path, undefined);
  search.unnamed += 1;
  return "noted";
}

/** Names alone: a separate check of each tells its type, too. */
function listFolder(search: Search, folder: string): readonly string[] {
  try {
    return listNames(search.root.folder, folder);
  } catch (error) {
    const code = systemCodeOf(error);
    // A folder that was removed during the scan is absent.
    if (code !== "ENOENT" && code !== "ENOTDIR" && folder !== "")
      search.entries.push({ kind: "unread", path: folder, reason: "denied" });
    return [];
  }
}

async function searchPaths(search: Search, paths: readonly string[]): Promise<boolean> {
  const { root, seen, entries, number } = search;
  const ways = new Map<string, boolean>();
  let questions = 0;
  for (const path of paths) {
    const known = root.known.get(path);
    if (known?.notedIn === number || seen.has(path)) continue;
    const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    const isLinked = ways.get(folder) ?? hasLinkOnTheWay(root.folder, path);
    ways.set(folder, isLinked);
    if (isLinked) {
      seen.add(path);
      search.noted += 1;
      entries.push({ kind: "link", path });
    } else if (lookAt(search, path, known) === "folder") entries.push({ kind: "folder", path });
    if (search.noted > SCAN_ENTRIES_MAX) return false;
    questions += 1;
    if (questions % STEP_QUESTIONS === 0) await setImmediate();
  }
  return true;
}

const IF_THERE = { throwIfNoEntry: false } as const;

function lstatAt(full: string): Stats | undefined {
  try {
    return lstatSync(full, IF_THERE);
  } catch {
    // Something on the way is no folder, or may not be looked into; opening the file tells which.
    return undefined;
  }
}

/** Notes the entry at a path; for a folder it only returns so. */
function lookAt(search: Search, path: string, known: KnownFile | undefined): "folder" | "noted" {
  const { root, entries, unread, seen, number } = search;
  const found = lstatAt(known?.full ?? `${root.folder}/${path}`);
  if (found?.isDirectory() === true) return "folder";
  if (known === undefined) seen.add(path);
  else known.notedIn = number;
  search.noted += 1;
  if (found === undefined) unread.push(path);
  else if (known !== undefined && isSameMark(known.mark, found)) entries.push(known.entry);
  else if (found.isFile()) unread.push(path);
  else entries.push({ kind: found.isSymbolicLink() ? "link" : "special", path });
  return "noted";
}

/** Takes the digests that are not known, of a few files at once. */
async function readFiles({ root, entries, unread, number }: Search): Promise<void> {
  const { folder, createDigester, known } = root;
  const waiting = unread.values();
  const readNext = async (): Promise<void> => {
    for (const path of waiting) {
      const startedAt = Date.now();
      const file = await digestFile(folder, path, createDigester);
      known.delete(path);
      if (file.kind === "refused") {
        entries.push(...toEntry(path, file.reason));
        continue;
      }
      const { state, mark } = file;
      const entry: ObservedEntry = { kind: "file", path, ...state };
      entries.push(entry);
      const changedAt = Math.max(mark.ctimeMs, mark.mtimeMs);
      if (changedAt < startedAt - SETTLED_MS && known.size < SCAN_ENTRIES_MAX)
        known.set(path, { full: `${folder}/${path}`, mark, entry, notedIn: number });
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readNext));
}
