import { afterAll, beforeAll, expect, test } from "vitest";
import { openReleaseBook, type ReleaseBook } from "./release-book.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";
import { RELEASES_LIST_MAX } from "./statements/list-releases.ts";

let scratch: Scratch;
let book: ReleaseBook;
beforeAll(async () => {
  scratch = await createScratch();
  book = await openReleaseBook({ url: scratch.url, roles: TEST_ROLES });
});
afterAll(async () => {
  await book.close();
  await scratch.drop();
});

const uri = "http://workers.internal:9080";

test("a release is written down, moved, drained, registered again and removed", async () => {
  expect(book.pending).toEqual([]);
  await book.put({ name: "one", uri, facts: { name: "one" } });
  const [before] = await book.list();
  expect(before).toMatchObject({ name: "one", uri, facts: { name: "one" }, isDraining: false });
  expect(await book.drain("one")).toBe(true);
  expect(await book.drain("other")).toBe(false);
  expect(await book.list()).toMatchObject([{ name: "one", isDraining: true }]);
  await book.put({ name: "one", uri: `${uri}1`, facts: { name: "one" } });
  expect(await book.list()).toMatchObject([
    { name: "one", uri: `${uri}1`, isDraining: false, registeredAt: before?.registeredAt },
  ]);
  await book.remove("one");
  expect(await book.list()).toEqual([]);
});

test("workers read what is deployed, and change nothing of it", async () => {
  await book.put({ name: "two", uri, facts: {} });
  const stores = await scratch.open();
  expect(await stores.listReleases()).toMatchObject([{ name: "two", uri }]);
  const session = await scratch.connect({ role: TEST_ROLES.worker });
  for (const sql of [
    "insert into turnseal.release (name, uri, facts) values ('x', 'x', '{}')",
    "update turnseal.release set uri = 'x'",
    "delete from turnseal.release",
  ])
    await expect(session.query(sql)).rejects.toThrow("permission denied");
  await book.remove("two");
});

test("every tenant with a run is listed once, and its unfinished runs are read", async () => {
  const runs = ["2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d", "3f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d"];
  const session = await scratch.connect();
  for (const [tenant, ended] of [
    ["ada", "null"],
    ["grace", "now()"],
  ])
    for (const run of runs)
      await session.query(
        `insert into turnseal.run (tenant, run, sequence, state, ended_at)
           values ('${tenant}', '${run}', 1, '\\x007b7d', ${ended})`,
      );
  expect(await book.listTenants()).toEqual(["ada", "grace"]);
  const [ada, grace] = [book.readerOf("ada"), book.readerOf("grace")];
  expect((await ada.lists.listUnfinished()).map(({ run }) => run)).toEqual(runs);
  expect((await ada.lists.listUnfinished(runs[0])).map(({ run }) => run)).toEqual([runs[1]]);
  expect(await ada.lists.listUnfinished(runs[1])).toEqual([]);
  expect(await grace.lists.listUnfinished()).toEqual([]);
});

test("RELEASES_LIST_MAX releases are listed, and no more", async () => {
  for (let at = 0; at <= RELEASES_LIST_MAX; at++)
    await book.put({ name: `n${at}`, uri, facts: {} });
  expect(await book.list()).toHaveLength(RELEASES_LIST_MAX);
});
