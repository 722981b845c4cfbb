/** Files and folders that are there after a loss of power, for their owner alone. */
import { constants, promises } from "node:fs";
import { StoreError } from "@turnseal/ports";
import { systemCodeOf } from "./if-there.ts";

/** Writes a new file, durable but for its name: its folder is synced apart. */
export async function writeNewFile(path: string, bytes: Uint8Array | string): Promise<void> {
  const file = await promises.open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder durable, where folders can be synced at all. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await promises.open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Wraps work, so that a failure is an error with a code and its subject. */
export function attemptWith(about: string) {
  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const code = systemCodeOf(error);
      if (code === "ENOSPC" || code === "EDQUOT")
        throw new StoreError("STORE_FULL", `${about} has no room left`, error);
      throw new StoreError("STORE_UNREACHABLE", `${about} fails with ${code}`, error);
    }
  };
}
