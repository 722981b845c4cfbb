import {
  headAfter,
  sampleAppend,
  sampleBlob,
  sampleMessage,
  sampleReceipt,
  sampleWaiting,
} from "@turnseal/ports/contracts";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DELETE_BATCH_MAX, type TenantDeleted } from "./delete-tenant.ts";
import { migratePostgres } from "./migrate.ts";
import { createOldDatabase } from "./old-database.test.data.ts";
import { openPostgresPool } from "./postgres-pool.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";
import { openTenantBook, TENANTS_LIST_MAX, type TenantBook } from "./tenant-book.ts";
import { parseTenantLimits, TENANT_WEIGHT_MAX } from "./tenant-limits.ts";

const deleted = [
  ...["waiting", "run", "blob", "run_key", "receipt", "inbox", "segment", "head"],
  ...["cache_key", "tenant_spent", "tenant_pace", "signing_key"],
  ...["value", "value_log", "value_entry", "graph", "graph_node"],
];
const role = {
  ...{ id: "00000000-0000-4000-8000-000000000001", type: "role", status: "", version: 1 },
  ...{ owner: null, place: null, object: {} },
};
let scratch: Scratch;
let book: TenantBook;
beforeAll(async () => {
  scratch = await createScratch();
  book = await openTenantBook({ url: scratch.url, roles: TEST_ROLES });
});
afterAll(async () => {
  await book.close();
  await scratch.drop();
});

test("a new database has the tenant of those who name none", async () => {
  expect(await book.list()).toMatchObject([
    { name: "default", state: "active", weight: 1, limits: {}, changedBy: "migration" },
  ]);
});

test("whoever has a run when the table is made is in it", async () => {
  const old = await createOldDatabase(7);
  for (const tenant of ["ada", "ada", "grace"])
    await old.session.query(
      `insert into turnseal.run (tenant, run, sequence, state)
         values ('${tenant}', gen_random_uuid(), 1, '{}')`,
    );
  await migratePostgres({ url: old.url, roles: TEST_ROLES });
  const pool = await openPostgresPool({ url: old.url, roles: TEST_ROLES });
  for (const name of ["ada", "grace", "default"])
    expect(await pool.readTenant(name)).toMatchObject({ name, state: "active" });
  expect(await pool.readTenant("nobody")).toBeUndefined();
  await pool.close();
  await old.drop();
});

test("a tenant is added once, limited, suspended and resumed, with who did it", async () => {
  expect(await book.change("acme", { weight: 2 }, "ada")).toBeUndefined();
  expect(await book.add("acme", "ada")).toBe("added");
  expect(await book.add("acme", "grace")).toBe("known");
  const limits = { concurrency: 8, tokensPerDay: 1_000_000 };
  const limited = await book.change("acme", { weight: TENANT_WEIGHT_MAX, limits }, "grace");
  expect(limited).toMatchObject({ weight: TENANT_WEIGHT_MAX, limits, changedBy: "grace" });
  expect(await book.change("acme", { state: "suspended" }, "ada")).toMatchObject({
    ...{ state: "suspended", weight: TENANT_WEIGHT_MAX, limits, changedBy: "ada" },
  });
  expect(await book.change("acme", { state: "active", limits: {} }, "ada")).toMatchObject({
    ...{ state: "active", limits: {} },
  });
  expect((await book.read("acme"))?.name).toBe("acme");
});

test("what is no name, no weight and no limit is refused", async () => {
  await expect(book.add("Acme.eu", "ada")).rejects.toThrow(RangeError);
  for (const weight of [0, -1, TENANT_WEIGHT_MAX + 1])
    await expect(book.change("default", { weight }, "ada")).rejects.toMatchObject({
      code: "INVARIANT_BROKEN",
    });
  for (const wrong of [[], 1, null, { concurrency: 0 }, { concurrency: 1.5 }, { more: 1 }])
    expect([wrong, parseTenantLimits(wrong)]).toEqual([wrong, undefined]);
  expect(parseTenantLimits({})).toEqual({});
});

test("limits that this program does not know stop the tenant alone until set", async () => {
  const session = await scratch.connect();
  await book.add("later", "ada");
  await session.query(`update turnseal.tenant set limits = '{"x":1}' where name = 'later'`);
  const unreadable = { name: "later", state: "unreadable", changedBy: "ada" };
  expect(await book.read("later")).toEqual({ ...unreadable, changedAt: expect.any(String) });
  const states = (await book.list()).map(({ name, state }) => `${name} ${state}`);
  expect(states).toContain("default active");
  expect(states).toContain("later unreadable");
  const pool = await openPostgresPool({ url: scratch.url, roles: TEST_ROLES });
  expect(await pool.readTenant("later")).toMatchObject(unreadable);
  await pool.close();
  // No other change fixes limits that this program does not know.
  for (const change of [{ weight: 2 }, { state: "suspended" }] as const)
    expect(await book.change("later", change, "ada")).toMatchObject(unreadable);
  expect(await book.change("later", { limits: { concurrency: 2 } }, "ada")).toMatchObject({
    ...{ state: "suspended", weight: 2, limits: { concurrency: 2 } },
  });
  await session.query("delete from turnseal.tenant where name = 'later'");
});

test("workers read who is there, and change nothing of it", async () => {
  const session = await scratch.connect({ role: TEST_ROLES.worker });
  expect(await session.query("select name from turnseal.tenant limit 1")).toHaveLength(1);
  for (const sql of [
    "insert into turnseal.tenant (name, changed_by) values ('x', 'x')",
    "update turnseal.tenant set state = 'active'",
    "delete from turnseal.tenant",
  ])
    await expect(session.query(sql)).rejects.toThrow("permission denied");
});

test("a tenant is deleted whole, in batches of DELETE_BATCH_MAX runs, and no other", async () => {
  const runs = DELETE_BATCH_MAX + 1;
  const session = await scratch.connect();
  const [gone, kept] = [
    await scratch.open({ tenant: "gone" }),
    await scratch.open({ tenant: "kept" }),
  ];
  for (const stores of [gone, kept])
    for (let at = 0; at < runs; at++) {
      const run = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
      const { epoch } = await stores.log.takeEpoch(run);
      const snapshot = { run, sequence: 1, state: {}, waiting: [sampleWaiting(1)] };
      const graph = { from: 0, changes: [{ kind: "node", node: role }] as const };
      const carried = { blobs: [sampleBlob("x")], receipt: sampleReceipt(1, run), snapshot, graph };
      await stores.blobs.keepKey(run, new Uint8Array(32));
      await stores.inbox.put(sampleMessage("hello", run));
      await stores.log.append(sampleAppend({ run, epoch }, carried));
    }
  await gone.calls.keepKey(new Uint8Array(32));
  for (const { values } of [gone, kept]) {
    await values.set("key", 1);
    for (let at = 0; at < runs; at++) await values.append("log", at);
  }
  const pool = await openPostgresPool({ url: scratch.url, roles: TEST_ROLES });
  for (const tenant of ["gone", "kept"]) {
    await pool.noteKey(tenant, DEMO_KEY);
    await session.query("insert into turnseal.tenant_pace values ($1, now())", [tenant]);
    await session.query("insert into turnseal.tenant_spent values ($1, 0, now(), 1, 1)", [tenant]);
  }
  const count = async (tenant: string) => {
    const counts: Record<string, number> = {};
    for (const table of deleted) {
      const sql = `select count(*)::int as count from turnseal.${table} where tenant = $1`;
      counts[table] = Number((await session.query(sql, [tenant]))[0]?.["count"]);
    }
    return counts;
  };
  const before = await count("kept");
  expect(Object.values(await count("gone")).every((rows) => rows > 0)).toBe(true);
  expect(await book.hasUnfinished("gone")).toBe(true);
  expect(await book.hasUnfinished("nobody")).toBe(false);
  // A worker served it before it was in the book.
  expect(await book.add("gone", "ada")).toBe("added");
  await book.remove("gone", "ada");
  // The next tenant of that name would get these runs.
  expect(await book.add("gone", "ada")).toBe("left");
  expect(await book.read("gone")).toBeUndefined();
  const told: TenantDeleted[] = [];
  const rows = await book.deleteRows("gone", (each) => told.push(each));
  await pool.close();
  // A value and its log beside the four; as many entries as runs.
  expect(rows).toBe(10 * runs + 4 + 2);
  for (const table of ["head", "value_entry"]) {
    const ofTable = told.filter((each) => each.table === table).map((each) => each.rows);
    expect(ofTable).toEqual([DELETE_BATCH_MAX, runs]);
  }
  expect(Object.values(await count("gone")).every((left) => left === 0)).toBe(true);
  expect(await count("kept")).toEqual(before);
  expect(await book.deleteRows("gone", () => {})).toBe(0);
  await expect(book.deleteRows("", () => {})).rejects.toThrow(RangeError);
  expect(await book.add("gone", "ada")).toBe("added");
  await book.remove("gone", "ada");
  expect(await book.read("gone")).toBeUndefined();
});

test("a limit that could not be read back is not written", async () => {
  await book.add("vast", "ada");
  const limits = { moneyMicrosPerDay: 10 ** 16 };
  await expect(book.change("vast", { limits }, "ada")).rejects.toThrow(RangeError);
  expect(await book.read("vast")).toMatchObject({ limits: {} });
  await book.remove("vast", "ada");
});

test("what a worker still writes while its tenant is deleted is not left behind", async () => {
  const session = await scratch.connect();
  const late = await scratch.open({ tenant: "late" });
  const run = "00000000-0000-4000-8000-00000000abcd";
  const { epoch } = await late.log.takeEpoch(run);
  const first = sampleAppend({ run, epoch }, { blobs: [sampleBlob("said")] });
  await late.log.append(first);
  const snapshot = { run, sequence: 2, state: {}, waiting: [] };
  const settled = sampleAppend(
    { run, epoch, after: headAfter(first) },
    { blobs: [sampleBlob("said late")], receipt: sampleReceipt(1, run), snapshot },
  );
  const writing: Promise<unknown>[] = [];
  await book.deleteRows("late", ({ table }) => {
    if (table !== "blob" || writing.length > 0) return;
    writing.push(late.log.append(settled));
    writing.push(late.blobs.put(run, sampleBlob("a large result")));
  });
  expect(writing).toHaveLength(2);
  expect((await Promise.allSettled(writing))[0]).toMatchObject({ value: { kind: "fenced" } });
  const left: string[] = [];
  for (const table of deleted) {
    const sql = `select 1 from turnseal.${table} where tenant = 'late'`;
    if ((await session.query(sql)).length > 0) left.push(table);
  }
  expect(left).toEqual([]);
});

test("TENANTS_LIST_MAX tenants are one page, and the next has the rest", async () => {
  const session = await scratch.connect();
  await session.query(
    `insert into turnseal.tenant (name, changed_by)
       select 'many-' || lpad(n::text, 5, '0'), 'test'
         from generate_series(1, ${TENANTS_LIST_MAX}) as n`,
  );
  const page = await book.list();
  expect(page).toHaveLength(TENANTS_LIST_MAX);
  expect((await book.list(page.at(-1)?.name)).length).toBeGreaterThan(0);
});
