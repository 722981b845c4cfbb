/** The stores behind PgBouncer, as Debian ships it, in its modes. */
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
});
