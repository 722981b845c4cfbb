import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SqliteOptions, type SqliteStores, sqliteStores } from "./sqlite-stores.ts";

const cleanups: (() => void)[] = [];

/** Does something when the test is over. */
export function onCleanUp(cleanup: () => void): void {
  cleanups.push(cleanup);
}

/** Ends what the test has begun, the last thing first. */
export function cleanUp(): void {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
}

/** A file that is not there yet, in a folder that goes when the test is over. */
export function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-"));
  onCleanUp(() => rmSync(folder, { recursive: true }));
  return join(folder, "store.db");
}

/** Stores that are closed when the test is over. */
export function openScratch(options: Partial<SqliteOptions> = {}): SqliteStores {
  const { file = scratchFile(), ...others } = options;
  const stores = sqliteStores({ file, ...others });
  onCleanUp(() => stores.close());
  return stores;
}
