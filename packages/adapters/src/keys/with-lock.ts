import { promises } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { KeysError } from "./keys-error.ts";
import { isCode } from "./private-files.ts";

const { open, stat, unlink } = promises;

/** How long to wait for another process that changes the keys. */
export const LOCK_WAIT_MS = 5_000;
/** A lock that is older belongs to a process that has died: changing keys takes milliseconds. */
export const LOCK_STALE_MS = 30_000;
const LOCK_POLL_MS = 20;

/** Runs `change` while no other process runs one for the same file. */
export async function withLock<Result>(
  file: string,
  change: () => Promise<Result>,
  waitMs = LOCK_WAIT_MS,
): Promise<Result> {
  await takeLock(file, waitMs);
  try {
    return await change();
  } finally {
    await unlink(file);
  }
}

async function takeLock(file: string, waitMs: number): Promise<void> {
  const endMs = performance.now() + waitMs;
  while (!(await tryLock(file))) {
    if (performance.now() >= endMs) {
      const message = `another process changes the keys; if none does, delete ${file}`;
      throw new KeysError("KEYS_BUSY", message);
    }
    await setTimeout(LOCK_POLL_MS);
  }
}

async function tryLock(file: string): Promise<boolean> {
  try {
    await (await open(file, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    if (await isStale(file)) await unlink(file).catch(() => {});
    return false;
  }
}

async function isStale(file: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(file)).mtimeMs > LOCK_STALE_MS;
  } catch {
    return false;
  }
}
