import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SqliteStores, sqliteStores } from "@turnseal/adapters/sqlite";
import { type Clock, memoryStores, type Stores } from "@turnseal/ports";

/** A store made when it is first needed, and thrown away. */
export interface ScratchStore {
  /** Opens it, also again after it was closed. */
  open(): Stores;
  close(): void;
  /** Closes it and removes what is left. */
  remove(): void;
}

/** In a file of its own where it must outlive the program, and else in memory. */
export function createScratchStore(clock: Clock, isDurable: boolean): ScratchStore {
  return isDurable ? createFileStore(clock) : createMemoryStore(clock);
}

function createMemoryStore(clock: Clock): ScratchStore {
  let stores: Stores | undefined;
  return {
    open: () => {
      stores ??= memoryStores(clock);
      return stores;
    },
    close: () => {},
    remove: () => {
      stores = undefined;
    },
  };
}

function createFileStore(clock: Clock): ScratchStore {
  let folder: string | undefined;
  let stores: SqliteStores | undefined;
  const close = (): void => {
    stores?.close();
    stores = undefined;
  };
  return {
    close,
    open: () => {
      folder ??= mkdtempSync(join(tmpdir(), "turnseal-conformance-"));
      stores ??= sqliteStores({ file: join(folder, "runs.db"), clock });
      return stores;
    },
    remove: () => {
      close();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
}
