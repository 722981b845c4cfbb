/**
 * Many tenants in three workers, on a server that allows a hundred connections, with a server of
 * its own: TURNSEAL_TEST_TENANTS says how many, and 1,000 is the full size.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres, openPostgresPool, type TenantStores } from "@turnseal/adapters/postgres";
import { headAfter, sampleAppend } from "@turnseal/ports/contracts";
import { EMPTY_HEAD } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, type PostgresServer, startPostgres } from "../proofs/kit/start-postgres.ts";

const TENANTS = Number(process.env["TURNSEAL_TEST_TENANTS"] ?? 60);
const WORKERS = 3;
/** Three times as many leave connections for readers, below the three for a superuser. */
const CONNECTIONS = 31;

let folder = "";
let server: PostgresServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-tenants-"));
  // The server runs as somebody else.
  chmodSync(folder, 0o755);
  server = await startPostgres(join(folder, "server"));
  const url = server.urlOf("postgres");
  await migratePostgres({ url });
  await ask(url, "create role worker login in role postgres_worker");
  await ask(url, "alter system set max_connections = 100");
  await server.kill();
  await server.start();
});
afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

test("any number of tenants work in three workers, within a hundred connections", async () => {
  const url = server.urlOf("postgres").replace("postgres@", "worker@");
  const open = () => openPostgresPool({ url, connectionsMax: CONNECTIONS });
  const pools = await Promise.all(Array.from({ length: WORKERS }, open));
  const watching = { most: 0, isOver: false };
  const watch = watchConnections(watching);
  const names = Array.from({ length: TENANTS }, (_, at) => `tenant-${at}`);
  await Promise.all(
    names.map(async (tenant, at) => {
      const pool = pools[at % WORKERS];
      if (pool !== undefined) await workAs(tenant, pool.forTenant(tenant));
    }),
  );
  watching.isOver = true;
  await watch;
  expect(watching.most).toBeLessThanOrEqual(WORKERS * CONNECTIONS);
  const count = "select count(distinct tenant)::int as count from turnseal.head";
  const [row] = await ask(server.urlOf("postgres"), count);
  expect(row).toEqual({ count: TENANTS });
  for (const pool of pools) await pool.close();
});

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

/** All have the same run, and each finds its own name in it. */
async function workAs(tenant: string, stores: TenantStores): Promise<void> {
  const { epoch } = await stores.log.takeEpoch(run);
  let after = EMPTY_HEAD;
  for (const turn of [1, 2, 3]) {
    const snapshot = { run, sequence: turn, state: { tenant, turn } };
    const append = sampleAppend({ run, epoch, after }, { snapshot });
    expect((await stores.log.append(append)).kind).toBe("appended");
    after = headAfter(append);
    expect((await stores.runs.read(run))?.state).toEqual({ tenant, turn });
    expect((await stores.runs.list()).map(({ state }) => state)).toEqual([{ tenant, turn }]);
    expect((await stores.log.read(run, 1)).length).toBe(turn);
  }
}

async function watchConnections(watching: { most: number; isOver: boolean }): Promise<void> {
  const count = "select count(*)::int as count from pg_stat_activity where usename = 'worker'";
  while (!watching.isOver) {
    const [row] = await ask(server.urlOf("postgres"), count);
    watching.most = Math.max(watching.most, Number(row?.["count"]));
    await new Promise((resume) => setTimeout(resume, 100));
  }
}
