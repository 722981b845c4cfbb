/**
 * Values under keys, and logs that only grow: what programs around runs keep, beside the log of a
 * run and never in its place.
 */
import type { JsonValue } from "@turnseal/protocol";

export interface ValueStateLayer {
  /**
   * The value under a key; undefined where there is none. A read after an answered write MUST
   * return that value, or a later one.
   */
  get(key: string): Promise<JsonValue | undefined>;
  /**
   * Keeps a value under a key, in the place of what was there. MUST NOT resolve before a crash of
   * this process leaves it there. MUST keep a copy, so that nobody changes it later.
   */
  set(key: string, value: JsonValue): Promise<void>;
  /** Takes away what is under a key, if anything is. */
  delete(key: string): Promise<void>;
  /**
   * Keys that begin with a text, in the order of their characters, at most `VALUE_LIST_MAX` after
   * one.
   */
  list(prefix: string, after?: string): Promise<readonly string[]>;
  /** The value with its version. A key MUST NOT have the same version again after a write. */
  read(key: string): Promise<VersionedValue | undefined>;
  /**
   * Sets a value where the key has this version, or, with `VERSION_NONE`, where it has no value. Of
   * several callers with the same version exactly one MUST be answered `done`.
   */
  compareAndSet(key: string, version: number, value: JsonValue): Promise<ChangeAnswer>;
  /**
   * Makes all changes or none, at one moment: at most `VALUE_CHANGES_MAX`, each of another key.
   * Where one names a version that its key does not have, nothing MUST be changed.
   */
  transact(changes: readonly ValueChange[]): Promise<ChangeAnswer>;
  /** The values under keys that begin with a text, all of one moment. */
  snapshot(prefix: string): Promise<ValueSnapshot>;
  /**
   * Restores a snapshot, at one moment: later keys under its prefix are removed. Keys that do not
   * begin with the prefix MUST stay as they are.
   */
  restore(snapshot: ValueSnapshot): Promise<void>;
  /**
   * Adds an entry to a log and answers with its number: 1, then one more each time, without a gap.
   * An entry MUST never change or be removed.
   */
  append(log: string, entry: JsonValue): Promise<number>;
  /** Entries from a number on, in order, at most `LOG_ENTRIES_READ_MAX`. */
  readLog(log: string, from: number, limit?: number): Promise<readonly LogEntry[]>;
}

export interface VersionedValue {
  readonly value: JsonValue;
  /** A positive whole number, larger than all earlier ones of the key. */
  readonly version: number;
}

/** The version of a key that has no value. */
export const VERSION_NONE = 0;

export type ValueChange = {
  readonly key: string;
  /** The version that the key must have; any where it is absent. */
  readonly version?: number;
} & ({ readonly kind: "set"; readonly value: JsonValue } | { readonly kind: "delete" });

export type ChangeAnswer =
  | { readonly kind: "done"; readonly version: number }
  /** A key has another version, and nothing was changed. */
  | { readonly kind: "stale"; readonly key: string; readonly version: number };

export interface ValueSnapshot {
  readonly prefix: string;
  /** In the order of keys. */
  readonly values: readonly { readonly key: string; readonly value: JsonValue }[];
}

export interface LogEntry {
  readonly number: number;
  readonly entry: JsonValue;
}

/** Characters of a key, of a prefix or of the name of a log. */
export const VALUE_KEY_LENGTH_MAX = 512;
/** The most keys that one list answers. */
export const VALUE_LIST_MAX = 1_000;
/** The most changes of one transaction, and their bytes together. */
export const VALUE_CHANGES_MAX = 100;
export const VALUE_CHANGES_BYTES_MAX = 8 * 1024 * 1024;
/** The most keys of a snapshot, and their bytes together. */
export const SNAPSHOT_KEYS_MAX = 10_000;
export const SNAPSHOT_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of an entry of a log, and the most entries that are read at once. */
export const LOG_ENTRY_BYTES_MAX = 64 * 1024;
export const LOG_ENTRIES_READ_MAX = 200;
