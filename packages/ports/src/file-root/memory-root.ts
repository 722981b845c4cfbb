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
  ROOT_FILE_BYTES_MAX,
  SCAN_ENTRIES_MAX,
} from "./file-root.ts";

/** What others can do to the files of a root in memory. */
export interface MemoryFiles {
  put(path: string, bytes: Uint8Array, mode?: number): void;
  link(path: string): void;
  remove(path: string): void;
}

type Held =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: "link" };

/** What is held in memory, as a root sees it. */
function createView(held: ReadonlyMap<string, Held>, createDigester: () => Digester) {
  const stateOf = (bytes: Uint8Array, mode: number): FileState => {
    const digester = createDigester();
    digester.update(bytes);
    return { digest: digester.digest(), bytes: bytes.length, mode };
  };
  /** What is at a path; a link on the way is what is found there. */
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
  /** What keeps a change from being made where somebody expects this. */
  const compare = (path: string, expected: Expected): FileChange | undefined => {
    const found = find(path);
    if (found?.kind === "link") return { kind: "refused", reason: "link" };
    if (found === undefined) return expected === "absent" ? undefined : { kind: "changed" };
    const isExpected = stateOf(found.bytes, found.mode).digest === expected;
    return isExpected ? undefined : { kind: "changed" };
  };
  return { stateOf, find, observe, compare };
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
