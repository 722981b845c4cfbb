import { PAUSE_BECAUSE_LENGTH_MAX, PAUSE_SCOPES } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPauseBook, type PauseBook } from "./pause-book.ts";
import { openPostgresPool, type PostgresPool } from "./postgres-pool.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";
import { PAUSES_MAX } from "./statements/list-pauses.ts";

let scratch: Scratch;
let book: PauseBook;
let pool: PostgresPool;
beforeAll(async () => {
  scratch = await createScratch();
  book = await openPauseBook({ url: scratch.url, roles: TEST_ROLES });
  pool = await openPostgresPool({ url: scratch.url, roles: TEST_ROLES });
});
afterAll(async () => {
  await book.close();
  await pool.close();
  await scratch.drop();
});

const by = "ada";
const because = "refunds are paid twice";

test("a pause is put once, read by workers, and lifted once", async () => {
  expect(await pool.listPauses()).toEqual([]);
  for (const scope of PAUSE_SCOPES) {
    const name = scope === "all" ? "" : "x";
    const put = await book.put({ scope, name, because, by });
    expect(put).toEqual({
      kind: "paused",
      pause: { scope, name, because, by, since: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    const again = await book.put({ scope, name, because: "other", by: "grace" });
    expect(again).toEqual({ ...put, kind: "known" });
  }
  const all = await pool.listPauses();
  expect(all.map(({ scope }) => scope)).toEqual([...PAUSE_SCOPES].sort());
  expect(await book.list()).toEqual(all);
  for (const { scope, name } of all) {
    expect(await book.lift({ scope, name }, by)).toMatchObject({ scope, name, because, by });
    expect(await book.lift({ scope, name }, by)).toBeUndefined();
  }
  expect(await pool.listPauses()).toEqual([]);
});

test("what is no pause is refused", async () => {
  const refused = { code: "INVARIANT_BROKEN" };
  await expect(book.put({ scope: "all", name: "x", because, by })).rejects.toMatchObject(refused);
  await expect(book.put({ scope: "tool", name: "", because, by })).rejects.toMatchObject(refused);
  for (const wrong of ["", "x".repeat(PAUSE_BECAUSE_LENGTH_MAX + 1)])
    await expect(book.put({ scope: "all", name: "", because: wrong, by })).rejects.toThrow(
      RangeError,
    );
  expect(await book.list()).toEqual([]);
});

test("workers read what is paused, and change nothing of it", async () => {
  await book.put({ scope: "tool", name: "local.pay", because, by });
  for (const role of [TEST_ROLES.worker, TEST_ROLES.reader]) {
    const session = await scratch.connect({ role });
    expect(await session.query("select name from turnseal.pause")).toHaveLength(1);
    for (const sql of [
      "insert into turnseal.pause (scope, name, because, paused_by) values ('loop','x','x','x')",
      "update turnseal.pause set because = 'x'",
      "delete from turnseal.pause",
    ])
      await expect(session.query(sql)).rejects.toThrow("permission denied");
  }
  await book.lift({ scope: "tool", name: "local.pay" }, by);
});

test("there are PAUSES_MAX at most, and more than that cannot be relied on", async () => {
  const session = await scratch.connect();
  await session.query(
    `insert into turnseal.pause (scope, name, because, paused_by)
       select 'tool', 'local.' || n, 'x', 'x' from generate_series(1, ${PAUSES_MAX}) as n`,
  );
  expect(await pool.listPauses()).toHaveLength(PAUSES_MAX);
  expect(await book.put({ scope: "all", name: "", because, by })).toEqual({ kind: "full" });
  await session.query("insert into turnseal.pause values ('loop', 'x', 'x', 'x')");
  await expect(pool.listPauses()).rejects.toMatchObject({ code: "STORE_CORRUPT" });
  await session.query("delete from turnseal.pause");
});
