/** Runs that ended, from a real database into a folder: what is read there is what was here. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderArchive } from "@turnseal/adapters/archive";
import {
  type ArchiveBook,
  migratePostgres,
  openArchiveBook,
  openPostgresPool,
  type PostgresPool,
} from "@turnseal/adapters/postgres";
import { collectRun, createLocalHost } from "@turnseal/host";
import { randomIds, systemClock } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleNameOf, withArchived } from "../folder/archived-stores.ts";
import { bundleRun } from "../folder/bundle-run.ts";
import { openSigner, readPublicKeys } from "../folder/open-keys.ts";
import { type ArchiveWork, archiveRuns, KEPT_RUNS_MAX } from "./archive-runs.ts";

const server =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const database = `turnseal_test_${randomUUID().replaceAll("-", "")}`;
const roles = {
  owner: "turnseal_test_owner",
  worker: "turnseal_test_worker",
  reader: "turnseal_test_reader",
};
const path = mkdtempSync(join(tmpdir(), "turnseal-archive-"));
const folder = join(path, "archive");
let pool: PostgresPool;
let book: ArchiveBook;
let keys: readonly PublicKey[];

async function ask(sql: string, of?: string): Promise<void> {
  const url = new URL(server);
  if (of !== undefined) url.pathname = `/${of}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(sql);
  await client.end();
}

beforeAll(async () => {
  await ask(`create database ${database} template template0`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  await migratePostgres({ url: url.href, roles });
  pool = await openPostgresPool({ url: url.href, roles });
  book = await openArchiveBook({ url: url.href, roles });
  await openSigner(path, {});
  keys = await readPublicKeys(path);
}, 60_000);
afterAll(async () => {
  await book.close();
  await pool.close();
  await ask(`drop database ${database} with (force)`);
  rmSync(path, { recursive: true });
});

const anything = jsonSchema<JsonValue>(true);
const pay = defineTool({
  ...{ id: "pay", version: "1.0.0", implementation: "local.pay", build: "test" },
  ...{ input: anything, output: anything },
  run: () => ({ paid: "a secret amount" }),
});

const open = (tenant: string) =>
  withArchived(pool.forTenant(tenant), { tenant, openArchive: folderArchive });

/** A run of a tenant: at its end, or only started. */
async function makeRun(tenant: string, isEnded = true): Promise<string> {
  const stores = pool.forTenant(tenant);
  const signer = await openSigner(path, {});
  const [clock, ids] = [systemClock, randomIds];
  const host = createLocalHost({ loops: [pay], stores, signer, clock, ids });
  const grant = { grantor: "ada", tools: ["local.pay"], budget: { toolCalls: 4, turns: 4 } };
  const run = await host.start(pay, { to: "grace" }, { grant });
  if (isEnded) await host.drive(run);
  return run;
}

const archive = (more: Partial<ArchiveWork> = {}) =>
  archiveRuns({
    ...{ book, keys, archive: folderArchive(folder), withContent: true, keepMs: 0, atOnce: 2 },
    ...more,
  });

const fileOf = (tenant: string, run: string) => join(folder, bundleNameOf(tenant, run));

/** Everything of a run that a stranger is given. */
const bundle = async (tenant: string, run: string) =>
  (
    await bundleRun(
      run,
      { path, stores: { ...open(tenant), close: () => {} } },
      { withContent: true },
    )
  ).text;

test("ended runs are archived, their period goes, and they are read as before", async () => {
  const ended = [await makeRun("acme"), await makeRun("acme"), await makeRun("beta")];
  const started = await makeRun("beta", false);
  const tenants = ["acme", "acme", "beta"];
  const before = await Promise.all(ended.map((run, at) => bundle(tenants[at] ?? "", run)));
  const first = await archive();
  expect(first).toMatchObject({ archived: 3, kept: 1, refused: 0, waiting: [], dropped: [1] });
  for (const [at, run] of ended.entries()) {
    const tenant = tenants[at] ?? "";
    expect(readFileSync(fileOf(tenant, run), "utf8")).toBe(before[at]);
    expect(await bundle(tenant, run)).toBe(before[at]);
    expect(await pool.forTenant(tenant).log.read(run, 1)).toEqual([]);
    const verdict = await verifyRun(await collectRun(open(tenant), run), {
      ...{ keys, production: false },
    });
    expect(verdict).toMatchObject({ verdict: "valid", findings: [] });
    expect((await open(tenant).receipts.read(run, 1))?.turn).toBe(1);
  }
  expect((await pool.forTenant("beta").log.read(started, 1)).length).toBe(0);
  // The one that was only started goes on where it is now.
  expect((await pool.forTenant("beta").inbox.peek(started)).length).toBe(1);
  expect(await archive()).toMatchObject({ archived: 0, kept: 0, refused: 0 });
});

test("what ended too short a time ago stays, also for one tenant alone", async () => {
  const [mine, other] = [await makeRun("acme"), await makeRun("beta")];
  expect(await archive({ keepMs: 3_600_000 })).toMatchObject({ archived: 0, dropped: [] });
  const days = await archive({ keepMsOf: (tenant) => (tenant === "beta" ? 3_600_000 : undefined) });
  expect(days.archived).toBe(1);
  expect(days.waiting.map(({ why }) => why)).toEqual(["1 of its runs ended too short a time ago"]);
  expect((await pool.forTenant("acme").log.read(mine, 1)).length).toBe(0);
  expect((await pool.forTenant("beta").log.read(other, 1)).length).toBeGreaterThan(0);
  expect(await archive({ tenant: "acme" })).toMatchObject({ archived: 0, dropped: [] });
  expect(await archive({ tenant: "beta" })).toMatchObject({ archived: 1, dropped: [] });
  expect((await archive()).dropped.length).toBeGreaterThan(0);
});

test("more than KEPT_RUNS_MAX unfinished runs hold up their period, none is moved", async () => {
  await ask(
    `insert into turnseal.head (tenant, run)
       select 'many', gen_random_uuid() from generate_series(0, ${KEPT_RUNS_MAX})`,
    database,
  );
  expect(await archive()).toMatchObject({
    ...{ kept: 0, dropped: [] },
    waiting: [{ why: `${KEPT_RUNS_MAX + 1} of its runs have not ended` }],
  });
  await ask("delete from turnseal.head where tenant = 'many'", database);
  expect((await archive()).dropped.length).toBeGreaterThan(0);
});

test("what does not verify stays in the database, and is named", async () => {
  const run = await makeRun("acme");
  const strange = await archive({ keys: [] });
  expect(strange).toMatchObject({ archived: 0, refused: 1, dropped: [] });
  expect(strange.refusedRuns).toMatchObject([{ tenant: "acme", run }]);
  expect(readdirSync(join(folder, "acme", run.slice(0, 2)))).not.toContain(`${run}.json`);
  expect((await pool.forTenant("acme").log.read(run, 1)).length).toBeGreaterThan(0);
  expect(await archive()).toMatchObject({ archived: 1 });
});

test("a run that is larger than a bundle may be stays, and is not read to its end", async () => {
  const run = await makeRun("acme");
  let reads = 0;
  const storesOf: ArchiveBook["storesOf"] = (tenant) => {
    const stores = book.storesOf(tenant);
    const read: typeof stores.blobs.read = (...asked) => {
      reads += 1;
      return stores.blobs.read(...asked);
    };
    return { ...stores, blobs: { ...stores.blobs, read } };
  };
  const bounded = await archive({ book: { ...book, storesOf }, bundleBytesMax: 1 });
  expect(bounded).toMatchObject({ archived: 0, refused: 1 });
  expect(bounded.refusedRuns).toMatchObject([{ run, why: "its bundle is larger than 1 bytes" }]);
  expect(reads).toBe(1);
  expect(await archive()).toMatchObject({ archived: 1, refused: 0 });
});

test("erasing an archived run takes content and key out of its bundle", async () => {
  const run = await makeRun("acme");
  await archive();
  const file = fileOf("acme", run);
  expect(readFileSync(file, "utf8")).toContain('"content":{"blobs"');
  expect(await open("acme").blobs.readKey(run)).toHaveLength(32);
  await open("acme").blobs.erase(run);
  await open("acme").blobs.erase(run);
  expect(readFileSync(file, "utf8")).not.toContain('"content":{"blobs"');
  expect(await open("acme").blobs.readKey(run)).toBeUndefined();
  const collected = await collectRun(open("acme"), run);
  const verdict = await verifyRun(collected, { keys, production: false });
  expect(verdict.verdict).toBe("valid");
  // Whoever erases before it is archived has it archived without.
  const other = await makeRun("acme");
  await open("acme").blobs.erase(other);
  await archive();
  expect(await bundle("acme", other)).not.toContain('"content":{"blobs"');
});

test("content that a killed command left without a note is erased, and the run kept", async () => {
  const die = async (): Promise<never> => {
    throw new Error("killed");
  };
  const killed = { ...book, note: die };
  const hasContent = (tenant: string, run: string) =>
    readFileSync(fileOf(tenant, run), "utf8").includes('"content":{"blobs"');
  const leave = async (tenant: string): Promise<string> => {
    const run = await makeRun(tenant);
    await expect(archive({ book: killed, tenant })).rejects.toThrow("killed");
    expect(hasContent(tenant, run)).toBe(true);
    return run;
  };
  // Others of the tenant say where its archive is.
  const known = await leave("acme");
  await open("acme").blobs.erase(known);
  expect(hasContent("acme", known)).toBe(false);
  // Nobody has said so: whoever erases names it, or whoever archives next comes to it.
  const named = await leave("solo");
  const stores = pool.forTenant("solo");
  const place = { tenant: "solo", place: folder, openArchive: folderArchive };
  await withArchived(stores, place).blobs.erase(named);
  expect(hasContent("solo", named)).toBe(false);
  const later = await leave("alone");
  await open("alone").blobs.erase(later);
  expect(hasContent("alone", later)).toBe(true);
  expect(await archive({ keepMsOf: () => 3_600_000 })).toMatchObject({ archived: 0 });
  expect(hasContent("alone", later)).toBe(false);
  expect(await archive()).toMatchObject({ archived: 3, refused: 0 });
  for (const [tenant, run] of Object.entries({ acme: known, solo: named, alone: later })) {
    const collected = await collectRun(open(tenant), run);
    expect((await verifyRun(collected, { keys, production: false })).verdict).toBe("valid");
  }
});

test("who has read an archived run does not go on showing what was erased by another", async () => {
  const runs = await Promise.all(Array.from({ length: 10 }, () => makeRun("acme")));
  await archive();
  const [run = "", ...others] = runs;
  const server = withArchived(pool.forTenant("acme"), {
    ...{ tenant: "acme", openArchive: folderArchive, openMsMax: 200 },
  });
  const { length } = await server.log.read(run, 1);
  expect(await server.blobs.readKey(run)).toHaveLength(32);
  await open("acme").blobs.erase(run);
  await expect.poll(() => server.blobs.readKey(run)).toBeUndefined();
  // However many are read meanwhile, a log does not seem to end where a page did.
  for (const other of others) await server.log.read(other, 1);
  expect((await server.log.read(run, 2)).length).toBe(length - 1);
});

test("a run that somebody else archives meanwhile keeps its bundle", async () => {
  const run = await makeRun("acme");
  const before = await bundle("acme", run);
  let isFirst = true;
  const storesOf: ArchiveBook["storesOf"] = (tenant) => {
    const stores = book.storesOf(tenant);
    const readKey = async (of: string) => {
      const key = await stores.blobs.readKey(of);
      const isMine = isFirst && of === run;
      if (isMine) isFirst = false;
      if (isMine) expect(await archive({ tenant: "acme" })).toMatchObject({ archived: 1 });
      return key;
    };
    return { ...stores, blobs: { ...stores.blobs, readKey } };
  };
  expect(await archive({ book: { ...book, storesOf } })).toMatchObject({ archived: 0, refused: 0 });
  expect(isFirst).toBe(false);
  expect(readFileSync(fileOf("acme", run), "utf8")).toBe(before);
});

test("a bundle that is changed, exchanged or away is said so, never shown", async () => {
  const [run, other] = [await makeRun("acme"), await makeRun("acme")];
  await archive();
  const file = fileOf("acme", run);
  const text = readFileSync(file, "utf8");
  const read = () => open("acme").log.read(run, 1);
  const refused = { code: "STORE_CORRUPT" };
  writeFileSync(file, text.replace('"grantor":"ada"', '"grantor":"eve"'));
  await expect(read()).rejects.toMatchObject(refused);
  writeFileSync(file, readFileSync(fileOf("acme", other), "utf8"));
  await expect(read()).rejects.toMatchObject(refused);
  writeFileSync(file, text.replace('"receipts":[', '"receipts":["{}",'));
  await expect(read()).rejects.toMatchObject(refused);
  writeFileSync(file, text.slice(0, -100));
  await expect(read()).rejects.toMatchObject(refused);
  rmSync(file);
  await expect(read()).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  writeFileSync(file, text);
  expect((await read()).length).toBeGreaterThan(0);
});
