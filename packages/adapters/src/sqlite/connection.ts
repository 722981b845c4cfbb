/**
 * The one connection of a store to its file.
 *
 * 1. SQLite works while the process waits, so everything here is short, and no transaction is open
 *    across an await.
 * 2. If another process holds the file, a call tries again after a small wait, up to a limit.
 *    SQLite's own wait would stop the whole process, so it is kept to a few milliseconds.
 * 3. A transaction is made whole or not at all, after any failure inside it.
 */
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { readInteger } from "./columns.ts";
import { BusyError, isBusy, toStoreError } from "./to-store-error.ts";

export interface Connection {
  /** Runs statements that only read. */
  read<Value>(body: () => Value): Promise<Value>;
  /** Runs statements as one transaction, which holds the file from its beginning. */
  write<Value>(body: () => Value): Promise<Value>;
  /**
   * Moves everything into the file and cuts the write-ahead log, which holds pages as they were
   * before.
   */
  emptyLog(): Promise<void>;
}

/** How long SQLite itself waits for another process before it gives up. */
export const BUSY_MS = 5;
/** How long one call goes on trying while others hold the file. */
export const BUSY_MS_MAX = 10_000;
const BETWEEN_MS_MAX = 25;

export function createConnection(db: DatabaseSync): Connection {
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  const checkpoint = db.prepare("pragma wal_checkpoint(truncate)");
  const transact = <Value>(body: () => Value): Value => {
    begin.run();
    try {
      const value = body();
      commit.run();
      return value;
    } catch (error) {
      // A full disk makes SQLite roll back by itself.
      if (db.isTransaction) rollback.run();
      throw error;
    }
  };
  return {
    read: (body) => tryWhileBusy(body),
    write: (body) => tryWhileBusy(() => transact(body)),
    emptyLog: () =>
      tryWhileBusy(() => {
        // A reader of another process can keep the log from being cut. SQLite reports that in a
        // row, and does not throw.
        if (readInteger(checkpoint.get(), "busy") !== 0) throw new BusyError();
      }),
  };
}

async function tryWhileBusy<Value>(body: () => Value): Promise<Value> {
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return body();
    } catch (error) {
      const isOver = performance.now() - startedAt >= BUSY_MS_MAX;
      if (isOver || !isBusy(error)) throw toStoreError(error);
    }
    // Random, so that processes that collided once do not go on colliding.
    await wait(Math.random() * Math.min(2 ** attempt, BETWEEN_MS_MAX));
  }
}
