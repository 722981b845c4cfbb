import { afterAll, beforeAll, expect, test } from "vitest";
import { AUDIT_PAGE_MAX, type AuditBook, openAuditBook } from "./audit-book.ts";
import { openPauseBook } from "./pause-book.ts";
import { openPostgresPool } from "./postgres-pool.ts";
import { openReleaseBook } from "./release-book.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";
import { openTenantBook } from "./tenant-book.ts";

let scratch: Scratch;
let book: AuditBook;
let place: { readonly url: string; readonly roles: typeof TEST_ROLES };
beforeAll(async () => {
  scratch = await createScratch();
  place = { url: scratch.url, roles: TEST_ROLES };
  book = await openAuditBook(place);
});
afterAll(async () => {
  await book.close();
  await scratch.drop();
});

/** Lists the entries since. */
async function since(after: number) {
  return (await book.list({ after })).map(({ kind, name, deed, person }) => [
    ...[kind, name, deed, person],
  ]);
}

async function last(): Promise<number> {
  return (await book.list()).at(-1)?.number ?? 0;
}

test("what is done to tenants, releases and pauses is noted, with who did it", async () => {
  const before = await last();
  const [tenants, releases, pauses] = [
    await openTenantBook(place),
    await openReleaseBook({ ...place, by: "grace" }),
    await openPauseBook(place),
  ];
  await tenants.add("acme", "ada");
  await tenants.change("acme", { state: "suspended" }, "bob");
  await tenants.remove("acme", "eve");
  const release = { name: "0123456789abcdef", uri: "http://w", facts: {} };
  await releases.put(release, "registered");
  await releases.put(release, "promoted");
  await releases.drain(release.name);
  await releases.removeDrained(release.name);
  await pauses.put({ scope: "all", name: "", because: "x", by: "ada" });
  await pauses.put({ scope: "all", name: "", because: "y", by: "bob" });
  await pauses.lift({ scope: "all", name: "" }, "bob");
  await pauses.lift({ scope: "all", name: "" }, "bob");
  expect(await since(before)).toEqual([
    ["tenant", "acme", "added", "ada"],
    ["tenant", "acme", "changed", "bob"],
    ["tenant", "acme", "removed", "eve"],
    ["release", release.name, "registered", "grace"],
    ["release", release.name, "promoted", "grace"],
    ["release", release.name, "drained", "grace"],
    ["release", release.name, "removed", "grace"],
    ["pause", "all", "added", "ada"],
    ["pause", "all", "lifted", "bob"],
  ]);
  const all = await book.list();
  const login = decodeURIComponent(new URL(scratch.url).username) || expect.any(String);
  for (const entry of all) expect(entry).toMatchObject({ isWhole: true, login });
  expect(all.map(({ number }) => number)).toEqual(all.map((_, at) => at + 1));
  await Promise.all([tenants.close(), releases.close(), pauses.close()]);
});

test("a change by hand is noted as what it is, and as nobody's who did not do it", async () => {
  const before = await last();
  const session = await scratch.connect();
  await session.query("insert into turnseal.tenant (name, changed_by) values ('hand', 'ada')");
  await session.query(
    "insert into turnseal.pause (scope, name, because, paused_by) values ('tool', 'pay', 'x', 'ada')",
  );
  await session.query("update turnseal.tenant set weight = 1000 where name = 'hand'");
  await session.query("update turnseal.pause set because = 'y'");
  // A session's own setting does not rename a change.
  await session.query("set turnseal.deed = 'added'");
  await session.query("delete from turnseal.pause");
  await session.query("reset turnseal.deed");
  for (const table of ["pause", "tenant", "release"])
    await expect(session.query(`truncate turnseal.${table}`)).rejects.toThrow("row by row");
  await session.query("delete from turnseal.tenant where name = 'hand'");
  expect(await since(before)).toEqual([
    ["tenant", "hand", "added", "ada"],
    ["pause", "tool pay", "added", "ada"],
    ["tenant", "hand", "changed", null],
    ["pause", "tool pay", "changed", null],
    ["pause", "tool pay", "removed", null],
    ["tenant", "hand", "removed", null],
  ]);
});

test("a reader cannot keep a pause from being written", async () => {
  const reader = await scratch.connect({ role: TEST_ROLES.reader });
  await reader.query("select pg_advisory_lock(hashtext('turnseal.audit'))");
  await reader.query("begin");
  await reader.query("select count(*) from turnseal.audit");
  await expect(
    reader.query("lock table turnseal.audit in share row exclusive mode"),
  ).rejects.toThrow("permission denied");
  const pauses = await openPauseBook(place);
  await pauses.put({ scope: "all", name: "", because: "x", by: "ada" });
  expect((await pauses.lift({ scope: "all", name: "" }, "ada"))?.by).toBe("ada");
  await pauses.close();
  await reader.close();
});

test("a change that is taken back is not noted", async () => {
  const before = await last();
  const session = await scratch.connect();
  await session.query("begin");
  await session.query("insert into turnseal.tenant (name, changed_by) values ('gone', 'ada')");
  await session.query("rollback");
  expect(await since(before)).toEqual([]);
});

test("rules and keys of workers are noted once, and rules that come back again", async () => {
  const before = await last();
  const pool = await openPostgresPool(place);
  const note = (kind: "policy" | "key", name: string) => pool.noteSeen({ kind, name, facts: {} });
  for (const name of ["one", "one", "two", "one"]) await note("policy", name);
  for (const name of ["k1", "k2", "k1"]) await note("key", name);
  expect(await since(before)).toEqual([
    ...["one", "two", "one"].map((name) => ["policy", name, "seen", null]),
    ...["k1", "k2"].map((name) => ["key", name, "seen", null]),
  ]);
  await expect(note("key", "x".repeat(201))).rejects.toThrow();
  await pool.close();
});

test("nobody changes what was noted, and workers note nothing else", async () => {
  const owner = await scratch.connect();
  for (const sql of ["update turnseal.audit set person = 'x'", "delete from turnseal.audit"])
    await expect(owner.query(sql)).rejects.toThrow("only added to");
  for (const role of [TEST_ROLES.worker, TEST_ROLES.reader]) {
    const session = await scratch.connect({ role });
    for (const sql of [
      "update turnseal.audit set person = 'x'",
      "delete from turnseal.audit",
      "insert into turnseal.audit select * from turnseal.audit limit 1",
      "select turnseal.append_audit('tenant', 'x', 'added', 'ada', '{}')",
    ])
      await expect(session.query(sql)).rejects.toThrow("permission denied");
  }
  const worker = await scratch.connect({ role: TEST_ROLES.worker });
  const forged = "select turnseal.note_seen('tenant', 'x', '{}')";
  await expect(worker.query(forged)).rejects.toThrow("cannot be noted");
  const reader = await scratch.connect({ role: TEST_ROLES.reader });
  await expect(reader.query("select turnseal.note_seen('key', 'x', '{}')")).rejects.toThrow(
    "permission denied",
  );
});

test("an entry that was changed all the same is seen, and AUDIT_PAGE_MAX are a page", async () => {
  const session = await scratch.connect();
  const first = (await book.list({ limit: 1 }))[0];
  await session.query("alter table turnseal.audit disable trigger all");
  await session.query(`update turnseal.audit set person = 'x' where number = ${first?.number}`);
  const changed = (await book.list()).filter(({ isWhole }) => !isWhole);
  expect(changed.map(({ number }) => number)).toEqual([first?.number]);
  await session.query("alter table turnseal.audit enable trigger all");
  expect(await book.list({ since: "2999-01-01T00:00:00.000Z" })).toEqual([]);
  expect(AUDIT_PAGE_MAX).toBe(1_000);
});
