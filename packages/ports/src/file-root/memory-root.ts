/** A root in memory: the reference, and one for tests. */
import type { FileState, ObservedEntry } from "@turnseal/protocol/artifact";
import { isUnder } from "@turnseal/protocol/artifact";
import { checkFolder, checkPath } from "./check-path.ts";
import {
  type Digester,
  type Expected,
  FILE_MODE_BITS,
  FILE_MODE_USUAL,
  type FileChange,
  type FileHint,
  type FileRoot,
  type ListedEntry,
  ROOT_FILE_BYTES_MAX,
  SCAN_ENTRIES_MAX,
} from "./file-root.ts";

/** Changes that others can make to the files of a root in memory. */
export interface MemoryFiles {
  put(path: string, bytes: Uint8Array, mode?: number): void;
  link(path: string): void;
  remove(path: string): void;
}

type Held =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: "link" };

/** A root's view of the files in memory. */
function createView(held: ReadonlyMap<string, Held>, createDigester: () => Digester) {
  const stateOf = (bytes: Uint8Array, mode: number): FileState => {
    const digester = createDigester();
    digester.update(bytes);
    return { digest: digester.digest(), bytes: bytes.length, mode };
  };
  /** The entry at a path; a link on the way counts as the entry. */
  const find = (path: string): Held | undefined => {
    const names = path.split("/");
    const ways = names.map((_, at) => names.slice(0, at).join("/"));
    return ways.some((way) => held.get(way)?.kind === "link") ? { kind: "link" } : held.get(path);
  };
  const observe = (path: string): readonly ObservedEntry[] => {
    const found = find(path);
    if (found?.kind === "file")
      return [{ kind: "file", path, ...stateOf(found.bytes, found.mode) }];
    if (found !== undefined) return [{ kind: "link", path }];
    return [...held.keys()].some((other) => isUnder(other, path)) ? [{ kind: "folder", path }] : [];
  };
  /** Returns why a change to this expected state cannot be made. */
  const compare = (path: string, expected: Expected): FileChange | undefined => {
    const found = find(path);
    if (found?.kind === "link") return { kind: "refused", reason: "link" };
    if (found === undefined) return expected === "absent" ? undefined : { kind: "changed" };
    const isExpected = stateOf(found.bytes, found.mode).digest === expected;
    return isExpected ? undefined : { kind: "changed" };
  };
  return { stateOf, find, observe, compare };
}

/** The entries below a folder. A folder is there as long as something is in it. */
function listBelow(
  held: ReadonlyMap<string, Held>,
  folder: string,
  isDeep: boolean,
): readonly ListedEntry[] {
  const before = folder === "" ? "" : `${folder}/`;
  const found = new Map<string, ListedEntry>();
  for (const [path, { kind }] of held) {
    if (!path.startsWith(before)) continue;
    const names = path.slice(before.length).split("/");
    for (const depth of names.keys()) {
      if (depth > 0 && !isDeep) break;
      const at = before + names.slice(0, depth + 1).join("/");
      found.set(at, { kind: at === path ? kind : "folder", path: at });
    }
  }
  return [...found.values()];
}

/**
 * Opens an empty root, with the hands of somebody else in it.
 *
 * @example
 * const { root, files } = memoryRoot(createDigester);
 * files.put("notes.txt", new TextEncoder().encode("by somebody else"));
 * await root.scan({ paths: ["notes.txt"] });
 */
export function memoryRoot(createDigester: () => Digester): {
  readonly root: FileRoot;
  readonly files: MemoryFiles;
} {
  const held = new Map<string, Held>();
  const listeners = new Set<(hint: FileHint) => void>();
  const { stateOf, find, observe, compare } = createView(held, createDigester);
  const root: FileRoot = {
    scan: async ({ paths = [], folders = [] }) => {
      for (const path of paths) checkPath(path);
      for (const folder of folders) checkFolder(folder);
      const inside = [...held.keys()].filter((path) => folders.some((at) => isUnder(path, at)));
      const entries = [...new Set([...paths, ...inside])].flatMap(observe);
      if (entries.length > SCAN_ENTRIES_MAX) return { kind: "refused", reason: "too-many" };
      return { kind: "scanned", entries, unnamed: 0 };
    },
    list: async (folder, { isDeep = false } = {}) => {
      checkFolder(folder);
      const there = folder === "" ? undefined : find(folder);
      if (there?.kind === "link") return { kind: "refused", reason: "link" };
      const entries = listBelow(held, folder, isDeep);
      if (entries.length === 0 && folder !== "") return { kind: "refused", reason: "absent" };
      if (entries.length > SCAN_ENTRIES_MAX) return { kind: "refused", reason: "too-many" };
      return { kind: "listed", entries, unnamed: 0 };
    },
    read: async (path) => {
      checkPath(path);
      const found = find(path);
      if (found === undefined) return { kind: "refused", reason: "absent" };
      if (found.kind === "link") return { kind: "refused", reason: "link" };
      const { bytes, mode } = found;
      if (bytes.length > ROOT_FILE_BYTES_MAX) return { kind: "refused", reason: "too-large" };
      return { kind: "read", bytes: bytes.slice(), state: stateOf(bytes, mode) };
    },
    write: async (path, { bytes, mode }, expected) => {
      checkPath(path);
      const other = compare(path, expected);
      if (other !== undefined) return other;
      const before = find(path);
      const kept = before?.kind === "file" ? before.mode : FILE_MODE_USUAL;
      const bits = (mode ?? kept) & FILE_MODE_BITS;
      held.set(path, { kind: "file", bytes: bytes.slice(), mode: bits });
      return { kind: "done", state: stateOf(bytes, bits) };
    },
    remove: async (path, expected) => {
      checkPath(path);
      const other = compare(path, expected);
      if (other !== undefined) return other;
      held.delete(path);
      return { kind: "done" };
    },
    watch: async (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const tell = (path: string) => {
    for (const listener of listeners) listener({ kind: "touched", paths: [path] });
  };
  return { root, files: createHands(held, tell) };
}

function createHands(held: Map<string, Held>, tell: (path: string) => void): MemoryFiles {
  return {
    put: (path, bytes, mode = FILE_MODE_USUAL) => {
      held.set(path, { kind: "file", bytes: bytes.slice(), mode });
      tell(path);
    },
    link: (path) => {
      held.set(path, { kind: "link" });
      tell(path);
    },
    remove: (path) => {
      held.delete(path);
      tell(path);
    },
  };
}
