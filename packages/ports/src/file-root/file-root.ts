/**
 * A folder of files that others change, too: what is there now, and changes that are made only
 * where nobody else was faster. Paths are those of artifacts; a root reaches nothing outside of
 * itself.
 */
import type { ArtifactDigest, FileState, ObservedEntry } from "@turnseal/protocol/artifact";

export interface FileRoot {
  /**
   * What stands at paths, and all that is in folders, each once, in no order. What is not there is
   * not listed. MUST NOT follow a link: one at a path, or on the way to it, is said to be there.
   * MUST NOT answer a state that a file never had: what changes while it is read is unread.
   */
  scan(request: ScanRequest): Promise<FileScan>;
  /** The bytes of a file, all of one moment, with their state. MUST NOT follow a link. */
  read(path: string): Promise<FileRead>;
  /**
   * Puts a file at a path, whole or not at all, and makes the folders on the way. MUST change
   * nothing where there is something other than expected, nor where a link is on the way. Whoever
   * reads at any moment MUST get what was there before, or all of this.
   */
  write(path: string, file: NewFile, expected: Expected): Promise<FileChange>;
  /** Takes a file away. MUST change nothing where there is something other than expected. */
  remove(path: string, expected: ArtifactDigest): Promise<FileChange>;
  /**
   * Tells of what may have changed from the moment on at which it resolves, until what it answers
   * with is called. MAY tell of what did not change. MUST NOT keep anything back: where something
   * may have been missed it says `unsure`. MUST NOT tell of what this root wrote or removed itself.
   */
  watch(listener: (hint: FileHint) => void): Promise<() => void>;
}

export interface ScanRequest {
  readonly paths?: readonly string[];
  /** At every depth; the empty path is the root itself. */
  readonly folders?: readonly string[];
}

export type FileScan =
  | {
      readonly kind: "scanned";
      /** In no order. */
      readonly entries: readonly ObservedEntry[];
      /** Names in these folders that no artifact can have, and that are not among the entries. */
      readonly unnamed: number;
    }
  /** There are more than `SCAN_ENTRIES_MAX` entries, or the root is not there. */
  | { readonly kind: "refused"; readonly reason: "absent" | "too-many" };

export type FileRead =
  | { readonly kind: "read"; readonly bytes: Uint8Array; readonly state: FileState }
  | { readonly kind: "refused"; readonly reason: ReadRefusal };
export type ReadRefusal = "absent" | "changing" | "denied" | "link" | "no-file" | "too-large";

export interface NewFile {
  readonly bytes: Uint8Array;
  /** Of it `FILE_MODE_BITS` count. A file keeps its own, or gets the usual one, unless given. */
  readonly mode?: number;
}

/** What must be at a path for a change to be made. */
export type Expected = ArtifactDigest | "absent";

export type FileChange =
  | { readonly kind: "done"; readonly state?: FileState }
  /** Something else is there than was expected, and nothing was changed. */
  | { readonly kind: "changed" }
  | { readonly kind: "refused"; readonly reason: "denied" | "link" | "no-file" };

export type FileHint =
  /** What changed is among these. A folder that came or went is not said like this. */
  | { readonly kind: "touched"; readonly paths: readonly string[] }
  /** Only a scan tells what changed. */
  | { readonly kind: "unsure" };

/** Opens a root with digests under the key of a run. */
export type OpenRoot = (key: Uint8Array) => FileRoot;
/** The roots that a worker has bound, by name. */
export type Roots = Readonly<Record<string, OpenRoot>>;

/** Takes the digest of bytes in parts: under the key of a run, or plain. */
export interface Digester {
  update(part: Uint8Array): void;
  digest(): ArtifactDigest;
}

/** Entries of one scan. */
export const SCAN_ENTRIES_MAX = 200_000;
/** Bytes of a file that is read whole. */
export const ROOT_FILE_BYTES_MAX = 20 * 1024 * 1024;
/** Paths of one hint; where there are more, it is unsure. */
export const HINT_PATHS_MAX = 1_000;
/** The bits of a mode that a root sets: nothing that is written runs as somebody else. */
export const FILE_MODE_BITS = 0o777;
/** The mode of a file that is new, where none is said. */
export const FILE_MODE_USUAL = 0o644;
