import { StoreError, type StoreErrorCode } from "@turnseal/ports";
import { InvariantError } from "@turnseal/protocol";

// The primary result codes of SQLite that this file speaks of.
const busy = 5;
const locked = 6;
const corrupt = 11;
const full = 13;
const notADatabase = 26;
/**
 * The file that the processes share could not grow: there is no room, although SQLite calls it an
 * I/O error.
 */
const sharedMemorySize = 4874;

// Out of memory, read only, interrupted, I/O error, cannot open, protocol, no support, refused.
const unreachable: ReadonlySet<number> = new Set([7, 8, 9, 10, 14, 15, 22, 23]);

/** A busy state that SQLite reports in a row, and does not throw. */
export class BusyError extends Error {
  readonly errcode = busy;
}

/**
 * True when another connection holds what was needed: the same attempt may succeed a moment later.
 */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && [busy, locked].includes(code & 0xff);
}

/**
 * Translates errors of SQLite and Node into ours; our own errors, and unknown ones, stay as they
 * are.
 */
export function toStoreError(error: unknown): unknown {
  if (isClosed(error)) return new InvariantError("the store is closed");
  const code = resultCode(error);
  if (code === undefined) return error;
  const known = describe(code);
  if (known !== undefined) return new StoreError(...known, error);
  // A broken constraint or a statement that does not fit the schema: the words are SQLite's, and
  // hold no values.
  return new InvariantError(`SQLite refused a statement: ${String((error as Error).message)}`);
}

function describe(code: number): [StoreErrorCode, string] | undefined {
  if (code === sharedMemorySize) return ["STORE_FULL", "the store has no room left"];
  switch (code & 0xff) {
    case full:
      return ["STORE_FULL", "the store has no room left"];
    case corrupt:
      return ["STORE_CORRUPT", "the file is damaged"];
    case notADatabase:
      return ["STORE_FORMAT_UNKNOWN", "the file is not a database"];
    case busy:
    case locked:
      return ["STORE_UNREACHABLE", "the store was held by others for too long"];
    default:
      return unreachable.has(code & 0xff)
        ? ["STORE_UNREACHABLE", "the store cannot be read or written"]
        : undefined;
  }
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_INVALID_STATE";
}
