import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LOCK_STALE_MS, LOCK_WAIT_MS, withLock } from "./with-lock.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-lock-"));
  file = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("one change runs at a time", async () => {
  let running = 0;
  let most = 0;
  const change = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await setTimeout(5);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(file, change)));
  expect(most).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test("a change that fails leaves no lock behind", async () => {
  const failing = withLock(file, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(existsSync(file)).toBe(false);
});

test("a lock that is held too long is an error that says which file it is", async () => {
  writeFileSync(file, "");
  const waiting = withLock(file, async () => {}, 50);
  await expect(waiting).rejects.toMatchObject({
    code: "KEYS_BUSY",
    message: expect.stringContaining(file),
  });
  expect(existsSync(file)).toBe(true);
  expect(LOCK_WAIT_MS).toBeLessThan(LOCK_STALE_MS);
});

test("a lock older than LOCK_STALE_MS is of a dead process, a younger one is not", async () => {
  const age = (ms: number): void => {
    writeFileSync(file, "");
    const at = new Date(Date.now() - ms);
    utimesSync(file, at, at);
  };
  age(LOCK_STALE_MS - 5_000);
  await expect(withLock(file, async () => "done", 50)).rejects.toMatchObject({ code: "KEYS_BUSY" });
  age(LOCK_STALE_MS + 1_000);
  expect(await withLock(file, async () => "done", 500)).toBe("done");
});

test("a folder that is not there is told as it is", async () => {
  const lost = withLock(join(folder, "gone", "lock"), async () => {});
  await expect(lost).rejects.toMatchObject({ code: "ENOENT" });
});
