/**
 * A folder of files that others change, too: it reads the current files, and makes a change only if
 * no other was faster. Paths are those of artifacts; a root reaches nothing outside of itself.
 */
import type { ArtifactDigest, FileState, ObservedEntry } from "@turnseal/protocol/artifact";

export interface FileRoot {
  /**
   * Scans paths and whole folders: lists each entry once, in no order. Absent files are not listed.
   * MUST NOT follow a link: one at a path, or on the way to it, is listed as a link.
   * MUST NOT answer a state that a file never had: a file that changes while it is read is unread.
   */
  scan(request: ScanRequest): Promise<FileScan>;
  /**
   * Lists the entries of a folder. MUST list a link as a link, and MUST NOT follow one. With
   * `holding` it MAY leave out entries, but no file in which one of the texts stands.
   */
  list(folder: string, options?: ListOptions): Promise<FileListing>;
  /** The bytes of a file, all of one moment, with their state. MUST NOT follow a link. */
  read(path: string): Promise<FileRead>;
  /**
   * Puts a file at a path, whole or not at all, and makes the folders on the way. MUST change
   * nothing where there is something other than expected, nor where a link is on the way. A reader
   * at any moment MUST get the earlier file or all of the new one.
   */
  write(path: string, file: NewFile, expected: Expected): Promise<FileChange>;
  /** Takes a file away. MUST change nothing where there is something other than expected. */
  remove(path: string, expected: ArtifactDigest): Promise<FileChange>;
  /**
   * Reports possible changes from the moment on at which it resolves, until the returned function
   * is called. MAY report unchanged files. MUST NOT keep anything back: where it may have missed
   * something it reports `unsure`. MUST NOT report this root's own writes and removals.
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

export interface ListOptions {
  /** True for the entries at every depth; else those of the folder itself. */
  readonly isDeep?: boolean;
  /** Of the entries at every depth, only files in which one of these stands are needed. */
  readonly holding?: SearchedTexts;
}

export interface SearchedTexts {
  /** Any of them. */
  readonly texts: readonly string[];
  /** True to search the text of a file as `toLowerCase` gives it. */
  readonly isLowered?: boolean;
}

export interface ListedEntry {
  readonly kind: "file" | "folder" | "link" | "special";
  readonly path: string;
}

export type FileListing =
  | {
      readonly kind: "listed";
      /** In no order. */
      readonly entries: readonly ListedEntry[];
      /** Names that no artifact can have, and that are not among the entries. */
      readonly unnamed: number;
    }
  /** `too-many`: more than `SCAN_ENTRIES_MAX` entries. */
  | { readonly kind: "refused"; readonly reason: "absent" | "denied" | "link" | "too-many" };

export type FileRead =
  | { readonly kind: "read"; readonly bytes: Uint8Array; readonly state: FileState }
  | { readonly kind: "refused"; readonly reason: ReadRefusal };
export type ReadRefusal = "absent" | "changing" | "denied" | "link" | "no-file" | "too-large";

export interface NewFile {
  readonly bytes: Uint8Array;
  /**
   * Only `FILE_MODE_BITS` of it count. A file keeps its own, or gets the usual one, unless given.
   */
  readonly mode?: number;
}

/** The expected state of a path before a change. */
export type Expected = ArtifactDigest | "absent";

export type FileChange =
  | { readonly kind: "done"; readonly state?: FileState }
  /** Something else is there than was expected, and nothing was changed. */
  | { readonly kind: "changed" }
  | { readonly kind: "refused"; readonly reason: "denied" | "link" | "no-file" };

export type FileHint =
  /**
   * The changed files are among these. A folder that appears or disappears gives `unsure` instead.
   */
  | { readonly kind: "touched"; readonly paths: readonly string[] }
  /** Only a scan finds the changes. */
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
/** The mode of a new file, by default. */
export const FILE_MODE_USUAL = 0o644;
