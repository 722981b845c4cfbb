// Production on a server of its own with a real standby: what is asked for, and what it buys.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type DurabilityOptions,
  migratePostgres,
  openPostgresStores,
  type PostgresStores,
} from "@turnseal/adapters/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, type PostgresServer, startPostgres } from "../proofs/kit/start-postgres.ts";

const tenant = "standby";
const run = "7d0a3a5e-51c5-4c4f-8f39-8f0f6b1f2a3b";
const production: DurabilityOptions = { mode: "production" };
let folder = "";
let primary: PostgresServer;
let standby: PostgresServer | undefined;
const opened: PostgresStores[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-standby-"));
  // The server runs as somebody else.
  chmodSync(folder, 0o755);
  primary = await startPostgres(join(folder, "first"));
  const { roles } = await migratePostgres({ url: primary.urlOf("postgres") });
  // A worker that may see standbys is told at once when there is none any more.
  await ask(primary.urlOf("postgres"), `grant pg_read_all_stats to "${roles.worker}"`);
});
afterAll(async () => {
  for (const stores of opened) await stores.close();
  await standby?.kill();
  // The test has killed it, unless it failed before.
  await primary.kill().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
});

async function open(server: PostgresServer, options = production): Promise<PostgresStores> {
  const stores = await openPostgresStores({ url: server.urlOf("postgres"), tenant, ...options });
  opened.push(stores);
  return stores;
}

const message = (key: string) => ({ run, key, kind: "signal", body: { key } }) as const;

test("production asks for a standby, and what it answered survives the primary", async () => {
  await expect(open(primary)).rejects.toMatchObject({ code: "STORE_NOT_REPLICATED" });

  standby = await primary.addStandby(join(folder, "second"));
  const stores = await open(primary);
  expect(stores.durability).toEqual({ mode: "production", missing: [], isOverridden: false });
  expect(await stores.inbox.put(message("first"))).toEqual({ kind: "stored" });

  // Nothing is answered that is not on both.
  await standby.kill();
  let isAnswered = false;
  const waiting = stores.inbox.put(message("second")).then(() => {
    isAnswered = true;
  });
  await sleep(1_000);
  expect(isAnswered).toBe(false);
  await expect(open(primary)).rejects.toMatchObject({ code: "STORE_NOT_REPLICATED" });
  await standby.start();
  await waiting;

  await primary.kill();
  await standby.promote();
  const rows = await ask(standby.urlOf("postgres"), "select key from turnseal.inbox order by key");
  expect(rows.map(({ key }) => key)).toEqual(["first", "second"]);
  // The promoted server has no standby of its own yet.
  await expect(open(standby)).rejects.toMatchObject({ code: "STORE_NOT_REPLICATED" });
});
