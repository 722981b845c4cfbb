/**
 * The files of a root as the last scan read them: by path, and by name in each folder. So a listed
 * name leads to its file without building a path.
 */
import type { ObservedEntry } from "@turnseal/protocol/artifact";
import type { FileMark } from "./file-mark.ts";

export interface KnownFile {
  /** Where it is, with the root. */
  readonly full: string;
  readonly mark: FileMark;
  readonly entry: ObservedEntry;
  /** The number of the scan that noted it last. */
  notedIn: number;
}

export interface KnownFiles {
  readonly size: number;
  get(path: string): KnownFile | undefined;
  /** The files directly in a folder, by their names. */
  listIn(folder: string): ReadonlyMap<string, KnownFile>;
  set(path: string, file: KnownFile): void;
  delete(path: string): void;
}

const NONE: ReadonlyMap<string, KnownFile> = new Map();

export function knownFiles(): KnownFiles {
  const byPath = new Map<string, KnownFile>();
  const byFolder = new Map<string, Map<string, KnownFile>>();
  return {
    get size() {
      return byPath.size;
    },
    get: (path) => byPath.get(path),
    listIn: (folder) => byFolder.get(folder) ?? NONE,
    set: (path, file) => {
      byPath.set(path, file);
      const [folder, name] = splitPath(path);
      const named = byFolder.get(folder) ?? new Map<string, KnownFile>();
      byFolder.set(folder, named.set(name, file));
    },
    delete: (path) => {
      if (!byPath.delete(path)) return;
      const [folder, name] = splitPath(path);
      const named = byFolder.get(folder);
      named?.delete(name);
      if (named?.size === 0) byFolder.delete(folder);
    },
  };
}

function splitPath(path: string): readonly [folder: string, name: string] {
  const at = path.lastIndexOf("/");
  return [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
}
