/**
 * What stands at paths and in folders of a root.
 *
 * 1. What the file system says of a file is compared with what it said when its digest was taken:
 *    where nothing differs the digest is the same, and the file is not opened.
 * 2. A file that changed shortly before its digest was taken is not held to be known: clocks of
 *    file systems are coarse, so that the next change may look like the last.
 * 3. Looking is done in short steps of many files, since a question at a time is slow, and others
 *    have their turn in between. Digests are taken of few files at once, each in small parts.
 */
import { lstatSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type Digester, type FileScan, SCAN_ENTRIES_MAX, type ScanRequest } from "@turnseal/ports";
import { findPathFault, type ObservedEntry } from "@turnseal/protocol/artifact";
import { codeOf } from "../if-there.ts";
import { digestFile, type FileMark, isSameMark, toEntry } from "./digest-file.ts";
import { hasLinkOnTheWay, listNames } from "./root-place.ts";

/** How long a change must lie back for a digest to be kept. */
const SETTLED_MS = 2_000;
/** Questions to the file system before others have their turn. */
const STEP_QUESTIONS = 512;
/** Files that are read at the same time. */
const READS_AT_ONCE = 8;
/** Files that are being written begin so, and are nobody's. */
export const DRAFT_PREFIX = ".turnseal-draft-";

/** What is known of files from the last time that they were read, by paths that can be theirs. */
export type KnownFiles = Map<string, KnownFile>;
interface KnownFile {
  readonly mark: FileMark;
  readonly entry: ObservedEntry;
}

export interface ScannedRoot {
  readonly folder: string;
  readonly createDigester: () => Digester;
  /** Names of folders that are not looked into. */
  readonly passed: ReadonlySet<string>;
  readonly known: KnownFiles;
}

interface Search {
  readonly root: ScannedRoot;
  readonly entries: ObservedEntry[];
  /** Files whose digest must be taken. */
  readonly unread: string[];
  /** Every path that was looked at. */
  readonly seen: Set<string>;
  unnamed: number;
}

export async function scanRoot(root: ScannedRoot, request: ScanRequest): Promise<FileScan> {
  const { paths = [], folders = [] } = request;
  const search: Search = { root, entries: [], unread: [], seen: new Set(), unnamed: 0 };
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
    for (const name of listFolder(search, folder)) {
      const path = before + name;
      if (name.startsWith(DRAFT_PREFIX) || search.root.passed.has(name)) continue;
      const known = search.root.known.get(path);
      // What is known has been asked this before.
      const canBeNamed = known !== undefined || findPathFault(path) === undefined;
      if (!canBeNamed) search.unnamed += 1;
      else if (lookAt(search, path, known) === "folder") waiting.push(path);
      questions += 1;
      if (questions % STEP_QUESTIONS === 0) await setImmediate();
    }
    if (search.seen.size > SCAN_ENTRIES_MAX) return false;
  }
  return true;
}

/** Names alone: each is looked at by itself, and this says what it is, too. */
function listFolder(search: Search, folder: string): readonly string[] {
  try {
    return listNames(search.root.folder, folder);
  } catch (error) {
    const code = codeOf(error);
    // What went away while it was looked for is not there.
    if (code !== "ENOENT" && code !== "ENOTDIR" && folder !== "")
      search.entries.push({ kind: "unread", path: folder, reason: "denied" });
    return [];
  }
}

async function searchPaths(search: Search, paths: readonly string[]): Promise<boolean> {
  const { root, seen, entries } = search;
  const ways = new Map<string, boolean>();
  let questions = 0;
  for (const path of paths) {
    if (seen.has(path)) continue;
    const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    const isLinked = ways.get(folder) ?? hasLinkOnTheWay(root.folder, path);
    ways.set(folder, isLinked);
    if (isLinked) {
      seen.add(path);
      entries.push({ kind: "link", path });
    } else if (lookAt(search, path, root.known.get(path)) === "folder")
      entries.push({ kind: "folder", path });
    if (seen.size > SCAN_ENTRIES_MAX) return false;
    questions += 1;
    if (questions % STEP_QUESTIONS === 0) await setImmediate();
  }
  return true;
}

const IF_THERE = { throwIfNoEntry: false } as const;

function lstatAt({ folder }: ScannedRoot, path: string): Stats | undefined {
  try {
    return lstatSync(`${folder}/${path}`, IF_THERE);
  } catch {
    // Something on the way is no folder, or may not be looked into; opening the file tells which.
    return undefined;
  }
}

/** Notes what stands at a path, but for a folder, of which it only says so. */
function lookAt(
  { root, entries, unread, seen }: Search,
  path: string,
  known: KnownFile | undefined,
): "folder" | "noted" {
  const found = lstatAt(root, path);
  if (found?.isDirectory() === true) return "folder";
  seen.add(path);
  if (found === undefined) unread.push(path);
  else if (known !== undefined && isSameMark(known.mark, found)) entries.push(known.entry);
  else if (found.isFile()) unread.push(path);
  else entries.push({ kind: found.isSymbolicLink() ? "link" : "special", path });
  return "noted";
}

/** Takes the digests that are not known, of a few files at once. */
async function readFiles({ root, entries, unread }: Search): Promise<void> {
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
        known.set(path, { mark, entry });
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readNext));
}
