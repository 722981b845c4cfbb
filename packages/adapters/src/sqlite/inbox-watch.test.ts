import type { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { EMPTY_INBOXES_MAX, watchInboxes } from "./inbox-watch.ts";
import { openDatabase } from "./open-database.ts";
import { cleanUp, onCleanUp, scratchFile } from "./scratch-file.test.data.ts";

afterEach(cleanUp);

function openTwo(): { mine: DatabaseSync; other: DatabaseSync } {
  const file = scratchFile();
  const mine = openDatabase({ file });
  const other = openDatabase({ file });
  onCleanUp(() => {
    mine.close();
    other.close();
  });
  return { mine, other };
}

test("an inbox that was empty is not searched again until someone commits", () => {
  const { mine, other } = openTwo();
  const watch = watchInboxes(mine);
  expect(watch.mayHoldRows("run")).toBe(true);
  watch.noteEmpty("run");
  expect([watch.mayHoldRows("run"), watch.mayHoldRows("run")]).toEqual([false, false]);
  expect(watch.mayHoldRows("another run")).toBe(true);
  other.exec("insert into head (run, epoch, sequence, hash) values ('x', 0, 0, '')");
  expect(watch.mayHoldRows("run")).toBe(true);
});

test("a commit between the look at the version and the look at the rows is noticed", () => {
  const { mine, other } = openTwo();
  const watch = watchInboxes(mine);
  expect(watch.mayHoldRows("run")).toBe(true);
  other.exec("insert into head (run, epoch, sequence, hash) values ('x', 0, 0, '')");
  watch.noteEmpty("run");
  expect(watch.mayHoldRows("run")).toBe(true);
});

test("a row of this very connection is noticed, of which SQLite says nothing", () => {
  const watch = watchInboxes(openTwo().mine);
  watch.mayHoldRows("run");
  watch.noteEmpty("run");
  watch.noteEmpty("another run");
  watch.notePut("run");
  expect([watch.mayHoldRows("run"), watch.mayHoldRows("another run")]).toEqual([true, false]);
});

test("EMPTY_INBOXES_MAX inboxes are remembered, and one more makes it start over", () => {
  const watch = watchInboxes(openTwo().mine);
  watch.mayHoldRows("run");
  for (let index = 0; index < EMPTY_INBOXES_MAX; index++) watch.noteEmpty(`run ${index}`);
  expect(watch.mayHoldRows("run 0")).toBe(false);
  watch.noteEmpty("one more");
  expect([watch.mayHoldRows("run 0"), watch.mayHoldRows("one more")]).toEqual([true, false]);
});
