/**
 * All tenants of a process share its connections. Rows of one never reach another, after any
 * failure of the statements between: errors, cancelled and broken ones, and settings that fail.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askEntered } from "./entered-query.ts";
import { interleave } from "./interleaving.test.data.ts";
import { type Database, enterFor, openConnections } from "./open-database.ts";
import { openPostgresPool } from "./postgres-pool.ts";
import {
  askServer,
  createScratch,
  type Scratch,
  type Session,
  TEST_ROLES,
} from "./scratch-database.test.data.ts";

const TENANTS = 40;
const TURNS = 4;
const CONNECTIONS = 3;
const tables = ["head", "segment", "inbox", "blob", "run_key", "receipt", "run", "waiting"];

let scratch: Scratch;
let login: string;
let url: string;
/** As workers have it: a login that was granted the role, and nothing else. */
beforeAll(async () => {
  scratch = await createScratch();
  login = `turnseal_test_${randomUUID().replaceAll("-", "")}`;
  await askServer(async (session) => {
    await session.query(`create role ${login} login`);
    await session.query(`grant ${TEST_ROLES.worker}, ${TEST_ROLES.reader} to ${login}`);
  });
  const address = new URL(scratch.url);
  address.username = login;
  url = address.href;
});
afterAll(async () => {
  await scratch.drop();
  await askServer((session) => session.query(`drop role ${login}`));
});

test("many tenants on few connections see their own rows, whatever fails between", async () => {
  const options = { url, roles: TEST_ROLES, connectionsMax: CONNECTIONS };
  const pool = await openPostgresPool(options);
  const connections = openConnections({ url, connectionsMax: CONNECTIONS });
  const admin = await scratch.connect();
  const ending = { isOver: false };
  const trouble = Promise.all([
    disturb(() => breakOne(admin), ending),
    disturb(() => failAs(connections.enter(TEST_ROLES.worker, "tenant-1")), ending),
    disturb(() => failAs(connections.enter("turnseal_test_nobody", "tenant-2")), ending),
  ]);
  try {
    const reads = await interleave(pool, { tenants: TENANTS, turns: TURNS });
    expect(reads).toBeGreaterThan(TENANTS * TURNS * 6);
  } finally {
    ending.isOver = true;
  }
  const counts = await trouble;
  for (const count of counts) expect(count).toBeGreaterThan(3);
  await connections.close();
  await pool.close();
});

/** Does it again and again; answers how often. */
async function disturb(what: () => Promise<void>, ending: { isOver: boolean }): Promise<number> {
  let count = 0;
  for (; !ending.isOver; count++) await what();
  return count;
}

/** Ends the connection of some statement, a moment after the last. */
async function breakOne(admin: Session): Promise<void> {
  await new Promise((resume) => setTimeout(resume, 100));
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where usename = $1 order by random() limit 1`,
    [login],
  );
}

/** A statement that fails, one that runs out of time, and one that takes another role. */
async function failAs(db: Database): Promise<void> {
  const texts = [
    "select 1 / (count(*) - count(*)) from turnseal.head",
    "select set_config('role', 'turnseal_test_owner', true)",
    "select from turnseal.nothing",
  ];
  for (const text of texts)
    await expect(db.query({ name: "fail", text, reach: "tenant" }, [])).rejects.toBeDefined();
}

test("a session between two statements is nobody's, and sees no row", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The driver's pool ends a connection with an error: here it goes on, as the worst case.
  const pool = {
    query: (query: pg.Submittable & { callback?: unknown }) =>
      new Promise((resume, reject) => {
        query.callback = (error: unknown, result: unknown) =>
          error ? reject(error) : resume(result);
        client.query(query);
      }),
  } as unknown as pg.Pool;
  const expectNobody = async (): Promise<void> => {
    const { rows } = await client.query(
      `select current_user::text as role, current_setting('turnseal.tenant', true) as tenant,
              current_setting('statement_timeout') as timeout`,
    );
    expect(rows).toEqual([{ role: login, tenant: "", timeout: "0" }]);
    for (const table of tables) {
      const counted = await client.query(`select count(*)::int as count from turnseal.${table}`);
      expect([table, counted.rows]).toEqual([table, [{ count: 0 }]]);
    }
  };
  const ask = (text: string, role: string = TEST_ROLES.worker, tenant = "tenant-1") => {
    const { text: entering } = enterFor({ name: "", text });
    const settings = { name: undefined, text: entering, values: [role, tenant] };
    return askEntered(pool, settings, { name: undefined, text, values: [] });
  };
  const [row] = await ask(
    "select current_user::text as role, count(*)::int as n from turnseal.run",
  );
  expect(row).toEqual({ role: TEST_ROLES.worker, n: 1 });
  await expectNobody();
  await expect(ask("select 1 / 0")).rejects.toMatchObject({ code: "22012" });
  await expectNobody();
  await expect(ask("select", "turnseal_test_nobody")).rejects.toMatchObject({ code: "22023" });
  await expectNobody();
  await expect(ask("select", TEST_ROLES.owner)).rejects.toMatchObject({ code: "42501" });
  await expectNobody();
  const cancelled = expect(ask("select pg_sleep(30)")).rejects.toMatchObject({ code: "57014" });
  const admin = await scratch.connect();
  await expect
    .poll(() =>
      admin.query(
        `select pg_cancel_backend(pid) as is_sent from pg_stat_activity
          where usename = $1 and query like '%pg_sleep%'`,
        [login],
      ),
    )
    .toEqual([{ is_sent: true }]);
  await cancelled;
  await expectNobody();
  await client.end();
});

test("what fails in the settings is not executed", async () => {
  const connections = openConnections({ url, connectionsMax: 1 });
  const db = connections.enter("turnseal_test_nobody", "tenant-1");
  const text = "insert into turnseal.head (tenant, run) values ('tenant-1', gen_random_uuid())";
  await expect(db.query({ name: "put", text, reach: "run" }, [])).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
  });
  await connections.close();
  const admin = await scratch.connect();
  const rows = "select count(*)::int as count from turnseal.head where tenant = 'tenant-1'";
  expect(await admin.query(rows)).toEqual([{ count: 1 }]);
});

test("a driver that sends a statement without its settings is noticed", async () => {
  const real = new pg.Pool({ connectionString: url, max: 1 });
  // As a version of the driver that would send a statement in another way.
  const pool = {
    query: (query: { prepare: unknown }) => {
      query.prepare = Object.getPrototypeOf(query).prepare;
      return real.query(query as unknown as pg.Submittable);
    },
  } as unknown as pg.Pool;
  const { text } = enterFor({ name: "", text: "" });
  const settings = { name: undefined, text, values: [TEST_ROLES.worker, "tenant-1"] };
  const asked = { name: undefined, text: "select count(*) from turnseal.head", values: [] };
  await expect(askEntered(pool, settings, asked)).rejects.toMatchObject({
    code: "INVARIANT_BROKEN",
  });
  await real.end();
});
