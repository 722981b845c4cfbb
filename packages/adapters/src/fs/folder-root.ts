/** A folder of this machine as a root of files. */
import { lstatSync, realpathSync } from "node:fs";
import { checkFolder, checkPath, type Digester, type FileRoot } from "@turnseal/ports";
import { foldPath } from "@turnseal/protocol/artifact";
import { type ChangedFile, removeFile, writeFile } from "./change-file.ts";
import { readWhole } from "./digest-file.ts";
import { type FileMark, isSameMark } from "./file-mark.ts";
import { knownFiles } from "./known-files.ts";
import { listRoot } from "./list-root.ts";
import { oneByOne } from "./one-by-one.ts";
import { hasPassedName } from "./passed-names.ts";
import { DRAFT_PREFIX, type ScannedRoot, scanRoot } from "./scan-root.ts";
import { watchRoot } from "./watch-root.ts";

/** These folders are not the work of a run, and change all the time. */
const PASSED_NAMES = [".git", ".turnseal"];
/** Own changes that are remembered, the latest. */
const OWN_MAX = 10_000;

const UNREAD = { kind: "unread", reason: "denied" } as const;
const DENIED = { kind: "refused", reason: "denied" } as const;

export interface FolderRootOptions {
  readonly folder: string;
  /** Digests files under the key of the run. */
  readonly createDigester: () => Digester;
  /** Names that are not looked into, read or changed, at any depth. */
  readonly passed?: readonly string[];
}

/**
 * Opens a folder, which must exist. A second scan opens a file again only if the file system says
 * that it changed.
 *
 * @example
 * const root = folderRoot({ folder: "work", createDigester });
 * const answer = await findDrift(root, { files: recorded, folders: [""] });
 */
export function folderRoot({
  folder,
  createDigester,
  passed = PASSED_NAMES,
}: FolderRootOptions): FileRoot {
  const root: ScannedRoot = {
    folder: realpathSync(folder),
    createDigester,
    passed: new Set(passed.map(foldPath)),
    known: knownFiles(),
    scans: 0,
  };
  const next = oneByOne();
  const own = new Map<string, FileMark | "absent">();
  const keep = (path: string, { change, mark }: ChangedFile) => {
    if (change.kind !== "done") return change;
    own.delete(path);
    own.set(path, mark ?? "absent");
    const [oldest] = own.keys();
    if (own.size > OWN_MAX && oldest !== undefined) own.delete(oldest);
    return change;
  };
  const isOwn = (path: string): boolean => {
    const left = own.get(path);
    if (left === undefined) return false;
    const there = lstatSync(`${root.folder}/${path}`, { throwIfNoEntry: false });
    return left === "absent" || there === undefined
      ? left === "absent" && there === undefined
      : isSameMark(left, there);
  };
  /** Ignores the case of names: on some platforms they are the same. */
  const isPassed = (path: string): boolean =>
    hasPassedName(path, root.passed) ||
    foldPath(path)
      .split("/")
      .some((name) => name.startsWith(DRAFT_PREFIX));
  return {
    scan: async (request) => {
      // Known paths were checked before; checking many of them again each time is slow.
      const fresh = (request.paths ?? []).filter((path) => root.known.get(path) === undefined);
      const { folders = [] } = request;
      for (const path of fresh) checkPath(path);
      for (const path of folders) checkFolder(path);
      const denied = new Set([...fresh, ...folders].filter(isPassed));
      if (denied.size === 0) return next(() => scanRoot(root, request));
      const leave = (asked: readonly string[] = []) => asked.filter((path) => !denied.has(path));
      const looked = { ...request, paths: leave(request.paths), folders: leave(folders) };
      const scan = await next(() => scanRoot(root, looked));
      if (scan.kind === "refused") return scan;
      const unread = [...denied].map((path) => ({ ...UNREAD, path }));
      return { ...scan, entries: [...scan.entries, ...unread] };
    },
    list: async (path, options = {}) => {
      checkFolder(path);
      if (isPassed(path)) return DENIED;
      return listRoot(root, path, options);
    },
    read: async (path) => {
      checkPath(path);
      if (isPassed(path)) return DENIED;
      return readWhole(root.folder, path, createDigester);
    },
    write: async (path, file, expected) => {
      checkPath(path);
      if (isPassed(path)) return DENIED;
      return keep(path, await writeFile(root, path, { file, expected }));
    },
    remove: async (path, expected) => {
      checkPath(path);
      if (isPassed(path)) return DENIED;
      return keep(path, await removeFile(root, path, expected));
    },
    watch: (listener) => watchRoot({ folder: root.folder, passed: root.passed, isOwn }, listener),
  };
}
