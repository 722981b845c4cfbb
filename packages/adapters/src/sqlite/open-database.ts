/** Opens the file of a store: made tight, checked, and brought to the latest schema. */
import { closeSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "@turnseal/ports";
import { BUSY_MS } from "./connection.ts";
import { checkFormat, migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { isBusy, toStoreError } from "./to-store-error.ts";

/** How long opening waits for other processes that open the same file. */
const OPEN_MS_MAX = 10_000;
/** Bytes that the write-ahead log keeps of its size once its content is in the file. */
const LOG_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 4_096;

export interface OpenOptions {
  readonly file: string;
  /** The most bytes that the file may grow to. */
  readonly bytesMax?: number;
}

/** An open database of ours, or a `StoreError`. */
export function openDatabase({ file, bytesMax }: OpenOptions): DatabaseSync {
  const path = resolve(file);
  createFile(path);
  let db: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path, { timeout: OPEN_MS_MAX });
    db = opened;
    checkFormat(opened);
    tryWhileBusy(() => configure(opened));
    migrate(opened, MIGRATIONS);
    if (bytesMax !== undefined)
      opened.exec(`pragma max_page_count = ${Math.max(1, Math.floor(bytesMax / PAGE_BYTES))}`);
    opened.exec(`pragma busy_timeout = ${BUSY_MS}`);
    return opened;
  } catch (error) {
    db?.close();
    throw toStoreError(error);
  }
}

/**
 * Makes the file for its owner alone; SQLite gives the files beside it the same mode.
 *
 * A file that is there is not opened here: to close it would drop the locks that this process holds
 * on it elsewhere.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw new StoreError("STORE_UNREACHABLE", `${path} cannot be made`, error);
  }
}

function configure(db: DatabaseSync): void {
  const mode = db.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
  if (mode !== "wal")
    throw new StoreError("STORE_UNREACHABLE", "the file system does not let processes share a log");
  // Full: a commit that was answered survives a loss of power, and not only the end of this
  // process.
  db.exec("pragma synchronous = full");
  // Deleted data is overwritten, so that an erasure leaves no bytes in the file.
  db.exec("pragma secure_delete = on");
  db.exec(`pragma journal_size_limit = ${LOG_BYTES}`);
}

// Changing the journal mode of a fresh file answers busy at once, without SQLite's own wait.
function tryWhileBusy(body: () => void): void {
  const startedAt = performance.now();
  for (;;) {
    try {
      body();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAt >= OPEN_MS_MAX) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}
