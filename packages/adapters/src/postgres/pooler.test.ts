/** The stores behind PgBouncer, as Debian ships it, in its modes. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { interleave } from "./interleaving.test.data.ts";
import { type Bouncer, startBouncer } from "./pgbouncer.test.data.ts";
import { openPostgresPool, type PostgresPool } from "./postgres-pool.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";

/** How many connections of the server there are for the eight of both programs. */
const modes = [
  ["session", 8],
  ["transaction", 2],
  ["statement", 2],
] as const;

describe.each(modes)("behind a pooler in %s mode", (mode, size) => {
  let scratch: Scratch;
  let bouncer: Bouncer;
  let pools: readonly PostgresPool[];
  beforeAll(async () => {
    scratch = await createScratch();
    bouncer = await startBouncer(scratch.url, { mode, size });
    const options = { url: bouncer.url, roles: TEST_ROLES, connectionsMax: 4 };
    pools = [await openPostgresPool(options), await openPostgresPool(options)];
  });
  afterAll(async () => {
    for (const pool of pools) await pool.close();
    await bouncer.close();
    await scratch.drop();
  });

  test("two programs with many tenants work on a few connections of the server", async () => {
    // The tenants of the programs differ: each has epochs of its own.
    const [one, other] = pools;
    if (one === undefined || other === undefined) throw new Error("no pools");
    const renamed = { forTenant: (tenant: string) => other.forTenant(`other-${tenant}`) };
    const work = { tenants: 12, turns: 3 };
    await Promise.all([interleave(one, work), interleave(renamed, work)]);
    const session = await scratch.connect();
    const [row] = await session.query(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    expect(row?.["count"]).toBeLessThanOrEqual(size);
  });

  test("no tenant sees another's rows, whatever is cut, cancelled or left behind", async () => {
    const [pool] = pools;
    if (pool === undefined) throw new Error("no pool");
    const admin = await scratch.connect();
    const endMs = Date.now() + TROUBLE_MS;
    const repeat = async (what: (round: number) => Promise<unknown>): Promise<number> => {
      let round = 0;
      for (; Date.now() < endMs; round++) await what(round);
      return round;
    };
    const end = (how: string) =>
      admin.query(
        `select ${how}(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()
          order by random() limit 1`,
      );
    const rounds = await Promise.all([
      repeat((round) => interleaveOwn(pool, round)),
      repeat(() => sleep(40).then(() => end("pg_cancel_backend"))),
      repeat(() => sleep(150).then(() => end("pg_terminate_backend"))),
      repeat(() => leaveBehind(bouncer.url)),
    ]);
    for (const count of rounds) expect(count).toBeGreaterThan(1);
  }, 20_000);
});

const TROUBLE_MS = 3_000;

/** A statement may be cut. A read of a row of another tenant fails the test. */
async function interleaveOwn(pool: PostgresPool, round: number): Promise<void> {
  const own = { forTenant: (tenant: string) => pool.forTenant(`round-${round}-${tenant}`) };
  const asked = interleave(own, { tenants: 6, turns: 2 });
  const error = await asked.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error !== undefined) expect(error).toMatchObject({ code: "STORE_UNREACHABLE" });
}

/** A neighbour behind the pooler, who leaves its role and its tenant at the session. */
async function leaveBehind(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(`set role ${TEST_ROLES.worker}`);
    await client.query("set turnseal.tenant = 'round-0-tenant-1'");
  } catch {
    // Its connection was the ended one.
  }
  await client.end().catch(() => {});
  await sleep(20);
}
