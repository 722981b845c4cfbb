/**
 * Where runs are kept that are no longer in a database: whole documents under names, as a folder or
 * an object store keeps them.
 */
export interface Archive {
  /** Its address, for people and for a program that opens it again. */
  readonly place: string;
  /**
   * Keeps bytes under a name, replacing earlier ones.
   * MUST NOT resolve before they survive a crash of the machine.
   * A reader at any moment MUST get the earlier bytes or all of the new ones, even if the writer is
   * killed.
   */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** The bytes under a name; undefined where there are none. */
  get(name: string): Promise<Uint8Array | undefined>;
  /**
   * Names that begin with a text, in the order of their characters, at most `ARCHIVE_LIST_MAX`
   * after one. MUST NOT name what was not put whole.
   */
  list(prefix: string, after?: string): Promise<readonly string[]>;
  /** Removes the bytes under a name, if there are any, and the leftovers of its writers. */
  remove(name: string): Promise<void>;
  /**
   * Removes leftovers of killed writers under names that begin with a text: a leftover may hold the
   * complete content. MUST leave complete files. A put that goes on meanwhile MUST NOT resolve
   * unless its bytes are kept.
   */
  removeUnfinished(prefix: string): Promise<void>;
}

/** The most names that one list answers. */
export const ARCHIVE_LIST_MAX = 1_000;
/** Characters of the longest name: with a mark of its own it is still the name of a file. */
export const ARCHIVE_NAME_LENGTH_MAX = 200;

const namePattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** True for parts of plain characters, with slashes between: it leads nowhere but down. */
export function isArchiveName(name: string): boolean {
  return name.length <= ARCHIVE_NAME_LENGTH_MAX && namePattern.test(name);
}

export function checkArchiveName(name: string): string {
  if (!isArchiveName(name)) throw new RangeError("this is not a name in an archive");
  return name;
}
