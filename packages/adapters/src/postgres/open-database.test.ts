import { TENANT_LENGTH_MAX } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CONNECTIONS_MAX_DEFAULT,
  type ConnectionsOptions,
  type Database,
  openConnections,
  PLAN_LOCKS_MAX,
} from "./open-database.ts";
import { createScratch, type Scratch, TEST_ROLES, urlOf } from "./scratch-database.test.data.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

const ask = (db: Database, text: string) => db.query({ name: "ask", text, reach: "tenant" }, []);

/** Connections of one tenant. */
function open(tenant: string, options: Partial<ConnectionsOptions> = {}, role = TEST_ROLES.worker) {
  const { enter, close } = openConnections({ url: scratch.url, ...options });
  return { ...enter(role, tenant), close };
}

test("a statement has its tenant, the least role, its plans and a limit of time", async () => {
  const db = open("ada-shop-8");
  const [row] = await ask(
    db,
    `select current_setting('turnseal.tenant') as tenant, current_user as role,
            current_setting('plan_cache_mode') as plans,
            current_setting('max_locks_per_transaction')::int as room,
            current_setting('statement_timeout') as timeout,
            current_setting('enable_sort') as sorts`,
  );
  const { room } = row as { room: number };
  expect(row).toEqual({
    room,
    tenant: "ada-shop-8",
    role: TEST_ROLES.worker,
    plans: room >= PLAN_LOCKS_MAX ? "force_generic_plan" : "force_custom_plan",
    timeout: "30s",
    sorts: "on",
  });
  const [ordered] = await ask(db, "select current_setting('enable_sort') as sorts order by 1");
  expect(ordered).toEqual({ sorts: "off" });
  await db.close();
});

test("no more connections are open than CONNECTIONS_MAX_DEFAULT, or than is said", async () => {
  const session = await scratch.connect();
  const counted = `
    select count(*)::int as count from pg_stat_activity
     where application_name = 'turnseal' and datname = current_database()`;
  for (const [most, options] of [
    [CONNECTIONS_MAX_DEFAULT, {}],
    [3, { connectionsMax: 3 }],
  ] as const) {
    const db = open("ada", options);
    const asking = Array.from({ length: 2 * most }, () => ask(db, "select pg_sleep(0.05)"));
    await Promise.all(asking);
    expect(await session.query(counted)).toEqual([{ count: most }]);
    await db.close();
    await expect.poll(() => session.query(counted)).toEqual([{ count: 0 }]);
  }
});

test("a tenant of TENANT_LENGTH_MAX letters is taken, and one more is refused", async () => {
  const longest = open("a".repeat(TENANT_LENGTH_MAX));
  const [row] = await ask(longest, "select current_setting('turnseal.tenant') as tenant");
  expect(row).toEqual({ tenant: "a".repeat(TENANT_LENGTH_MAX) });
  await longest.close();
  const wrong = [
    "a".repeat(TENANT_LENGTH_MAX + 1),
    "",
    "a b",
    "Acme.eu",
    "a' or true",
    "a\n",
    "ä",
    "a\\",
  ];
  for (const tenant of wrong) expect(() => open(tenant)).toThrow(RangeError);
});

test("an address with options of its own is refused: a session has no tenant by itself", () => {
  const url = `${scratch.url}?options=-c%20turnseal.tenant%3Dgrace`;
  expect(() => open("ada", { url })).toThrow(RangeError);
});

test("what is asked of a closed store is a bug, and closing twice is none", async () => {
  const db = open("ada");
  await db.close();
  await db.close();
  await expect(ask(db, "select 1")).rejects.toMatchObject({ code: "INVARIANT_BROKEN" });
});

test("a missing database, a missing role and a closed port are unreachable", async () => {
  const closed = new URL(scratch.url);
  closed.port = "1";
  const cases = [
    [urlOf("turnseal_test_nowhere"), TEST_ROLES.worker],
    [scratch.url, "turnseal_test_nobody"],
    [closed.href, TEST_ROLES.worker],
  ] as const;
  for (const [url, role] of cases) {
    const db = open("ada", { url }, role);
    await expect(ask(db, "select 1")).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    await db.close();
  }
});

test("a server that ends our connections, as in a restart, is asked again", async () => {
  const stores = await scratch.open();
  const session = await scratch.connect();
  const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
  for (let epoch = 1; epoch <= 5; epoch++) {
    expect((await stores.log.takeEpoch(run)).epoch).toBe(epoch);
    await session.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'turnseal' and datname = current_database()`);
  }
});
