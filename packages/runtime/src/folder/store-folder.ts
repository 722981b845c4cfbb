/**
 * The folder in which a project keeps its runs: one SQLite file, signing keys, and the logs of runs
 * in the background.
 *
 * It holds content and private keys, so it is made for its owner alone and kept out of version
 * control.
 */
import { existsSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type NewestRun, sqliteStores } from "@turnseal/adapters/sqlite";
import { type RunLeases, StoreError, type Stores } from "@turnseal/ports";
import type { EngineSide } from "./engine-side.ts";

/** Where runs are kept when a command line names no folder. */
export const STORE_FOLDER = ".turnseal";

export interface StoreFolder {
  readonly path: string;
  readonly stores: Stores & { readonly leases: RunLeases; close(): void | Promise<void> };
  /** Set if an engine drives the runs: from here they only get messages and looks. */
  readonly engine?: EngineSide;
  /** Runs page by page, the newest first. A store without it is read whole. */
  readonly newest?: (before?: string) => Promise<readonly NewestRun[]>;
}

export type StoreOpening =
  | ({ readonly kind: "open" } & StoreFolder)
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

/** Opens a folder that is there. */
export function openStoreFolder(named: string | undefined): StoreOpening {
  const path = resolve(named ?? STORE_FOLDER);
  const file = databaseFile(path);
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) {
      const message = `there are no runs in ${named ?? STORE_FOLDER}`;
      return { kind: "unusable", message, next: "turnseal run <loop>, or --store <folder>" };
    }
  } catch (error) {
    // A folder without read permission is not empty: treating it so would begin a second store
    // beside it.
    const message = `${named ?? STORE_FOLDER} cannot be read: ${(error as Error).message}`;
    return { kind: "unusable", message, next: `check the permissions: ls -ld ${path}` };
  }
  return { kind: "open", path, ...openFile(file) };
}

/** Opens a folder, which is made if it is not there. */
export async function createStoreFolder(named: string | undefined): Promise<StoreFolder> {
  const path = resolve(named ?? STORE_FOLDER);
  if (!existsSync(path)) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await writeFile(join(path, ".gitignore"), "*\n");
  }
  return { path, ...openFile(databaseFile(path)) };
}

function databaseFile(path: string): string {
  return join(path, "runs.db");
}

/** An error of the file names its path: the command line may have meant another folder. */
function openFile(file: string): Pick<Required<StoreFolder>, "stores" | "newest"> {
  try {
    const stores = sqliteStores({ file });
    return { stores, newest: stores.lists.listNewest };
  } catch (error) {
    if (!(error instanceof StoreError) || error.message.includes(file)) throw error;
    throw new StoreError(error.code, `${file}: ${error.message}`, error.cause);
  }
}
