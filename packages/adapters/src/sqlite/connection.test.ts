import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { BUSY_MS_MAX } from "./connection.ts";
import { cleanUp, onCleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";
import { SAMPLE_RUN } from "./start-worker.test.data.ts";

afterEach(cleanUp);

/** Another connection that holds the file until it is closed. */
function holdFile(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec("begin immediate");
  onCleanUp(() => {
    if (db.isOpen) db.close();
  });
  return db;
}

test("whoever finds the file held waits, without stopping the process, and writes", async () => {
  const file = scratchFile();
  const { log } = openScratch({ file });
  const holder = holdFile(file);
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  setTimeout(() => holder.exec("rollback"), 200);
  const { epoch } = await log.takeEpoch(SAMPLE_RUN);
  clearInterval(ticking);
  expect(epoch).toBe(1);
  expect(ticks).toBeGreaterThan(5);
});

test("reading does not wait for a writer", async () => {
  const file = scratchFile();
  const { log } = openScratch({ file });
  await log.takeEpoch(SAMPLE_RUN);
  holdFile(file);
  expect((await log.readHead(SAMPLE_RUN))?.epoch).toBe(1);
});

test("a file that is held for longer than BUSY_MS_MAX is unreachable, and not before", async () => {
  const file = scratchFile();
  const { log } = openScratch({ file });
  holdFile(file);
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  const taking = log.takeEpoch(SAMPLE_RUN).catch((error: unknown) => error);
  clock.mockReturnValue(BUSY_MS_MAX - 1);
  const early = await Promise.race([taking, new Promise((resolve) => setTimeout(resolve, 150))]);
  expect(early).toBeUndefined();
  clock.mockReturnValue(BUSY_MS_MAX);
  expect(await taking).toMatchObject({ code: "STORE_UNREACHABLE", retry: "retry" });
});

test("an erasure waits for a reader that still sees what is erased", async () => {
  const file = scratchFile();
  const { blobs } = openScratch({ file });
  const reader = new DatabaseSync(file);
  reader.exec("begin; select * from head");
  let isErased = false;
  const erasing = blobs.erase(SAMPLE_RUN).then(() => {
    isErased = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isErased).toBe(false);
  reader.close();
  await erasing;
});

test("a store that was closed says so, and closing it again is nothing", async () => {
  const stores = openScratch();
  stores.close();
  stores.close();
  await expect(stores.log.takeEpoch(SAMPLE_RUN)).rejects.toMatchObject({
    code: "INVARIANT_BROKEN",
    message: "the store is closed",
  });
  await expect(stores.inbox.peek(SAMPLE_RUN)).rejects.toMatchObject({ code: "INVARIANT_BROKEN" });
});
