/** Runs that ended, from a real database into a folder: what is read there is what was here. */
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
import { randomIds, StoreError, systemClock } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import {
  bundleNameOf,
  bundleRun,
  openSigner,
  readPublicKeys,
  withArchived,
} from "@turnseal/runtime/folder";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ArchiveWork, archiveRuns, KEPT_RUNS_MAX, RUNS_NAMED_MAX } from "./archive-runs.ts";

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
/** A folder that is archived to instead, later. */
const second = join(path, "second");
const url = new URL(server);
url.pathname = `/${database}`;
let pool: PostgresPool;
let book: ArchiveBook;
let keys: readonly PublicKey[];

async function ask(sql: string, of?: string): Promise<void> {
  const address = new URL(server);
  if (of !== undefined) address.pathname = `/${of}`;
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  await client.query(sql);
  await client.end();
}

beforeAll(async () => {
  await ask(`create database ${database} template template0`);
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
    ...{ book, keys, archive: folderArchive(folder), openArchive: folderArchive },
    ...{ withContent: true, keepMs: 0, atOnce: 2 },
    ...more,
  });

const fileOf = (tenant: string, run: string) => join(folder, bundleNameOf(tenant, run));
const fileInSecond = (tenant: string, run: string) => join(second, bundleNameOf(tenant, run));
const hasContent = (file: string) => readFileSync(file, "utf8").includes('"content":{"blobs"');

/** Leaves a bundle with content, as one who is killed before it is noted does. */
async function leave(tenant: string): Promise<string> {
  const die = async (): Promise<never> => {
    throw new Error("killed");
  };
  const run = await makeRun(tenant);
  // A killed process removes nothing.
  const killed = { ...book, note: die, readNoted: die };
  await expect(archive({ book: killed, tenant })).rejects.toThrow("killed");
  expect(hasContent(fileOf(tenant, run))).toBe(true);
  return run;
}

/** Has the database forget who archives, as when it is restarted; somebody else archives then. */
async function loseHold(): Promise<void> {
  await ask(
    `select pg_terminate_backend(pid) from pg_locks
      where relation = 'turnseal.period'::regclass and mode = 'ShareUpdateExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`,
    database,
  );
  book = await openArchiveBook({ url: url.href, roles });
}

/** All parts of a run that an outside verifier gets. */
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
  // The unbegun run goes on in its new place.
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
    waiting: [{ why: `${KEPT_RUNS_MAX + 1} of its runs have not ended, and 0 are too large` }],
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

test("a run that cannot be read stays and is named, and those of others are archived", async () => {
  const [run, other] = [await makeRun("aaa"), await makeRun("zzz")];
  await ask(`update turnseal.segment set body = 'damaged' where run = '${run}'`, database);
  const report = await archive();
  expect(report).toMatchObject({ archived: 1, refused: 1, refusedRuns: [{ tenant: "aaa", run }] });
  expect((await open("zzz").log.read(other, 1)).length).toBeGreaterThan(0);
  await ask(`delete from turnseal.head where run = '${run}'`, database);
});

test("a run that is too large for a bundle is kept and named, and its period goes", async () => {
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
  const named = [{ tenant: "acme", run, why: "its bundle is larger than 1 bytes" }];
  expect(bounded).toMatchObject({ archived: 0, kept: 1, refused: 0, waiting: [] });
  expect(bounded).toMatchObject({ tooLarge: 1, tooLargeRuns: named });
  expect(bounded.dropped.length).toBeGreaterThan(0);
  // It is not read to its end.
  expect(reads).toBe(1);
  expect((await pool.forTenant("acme").log.read(run, 1)).length).toBeGreaterThan(0);
  const again = await archive({ bundleBytesMax: 1 });
  expect(again).toMatchObject({ archived: 0, kept: 0, tooLarge: 1, tooLargeRuns: named });
  expect(await archive()).toMatchObject({ archived: 1, tooLarge: 0, refused: 0 });
});

test("runs that are too large hold up their period with those that have not ended", async () => {
  for (const isEnded of [true, true, false]) await makeRun("acme", isEnded);
  const held = await archive({ bundleBytesMax: 1, keptRunsMax: 2 });
  expect(held).toMatchObject({ kept: 0, dropped: [] });
  expect(held.waiting).toMatchObject([
    { why: "1 of its runs have not ended, and 2 are too large" },
  ]);
  const kept = await archive({ bundleBytesMax: 1, keptRunsMax: 3 });
  expect(kept).toMatchObject({ kept: 3, tooLarge: 2, waiting: [] });
  expect(kept.dropped.length).toBeGreaterThan(0);
  expect(await archive()).toMatchObject({ archived: 2, tooLarge: 0 });
});

test("a run that cannot be moved out of its period holds up that alone, and is named", async () => {
  const run = await makeRun("acme", false);
  const keep = async (): Promise<never> => {
    throw new StoreError("STORE_UNREACHABLE", "it took too long");
  };
  const held = await archive({ book: { ...book, keep } });
  const why = `run ${run} of acme cannot be moved out of it: it took too long`;
  expect(held).toMatchObject({ kept: 0, waiting: [{ why }] });
  await makeRun("acme");
  const next = await archive({ book: { ...book, keep } });
  expect(next).toMatchObject({ archived: 1, waiting: [{ why }] });
  expect(next.dropped.length).toBeGreaterThan(0);
  expect(await archive()).toMatchObject({ kept: 1, waiting: [] });
});

test("RUNS_NAMED_MAX runs of a kind are named, and one more is counted", async () => {
  for (let runs = 1; runs < RUNS_NAMED_MAX; runs++) await makeRun("acme");
  for (const more of [0, 1]) {
    await makeRun("acme");
    const { tooLarge, tooLargeRuns } = await archive({ bundleBytesMax: 1 });
    expect([tooLarge, tooLargeRuns.length]).toEqual([RUNS_NAMED_MAX + more, RUNS_NAMED_MAX]);
  }
  expect(await archive()).toMatchObject({ archived: RUNS_NAMED_MAX + 1, tooLarge: 0 });
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
  // A run that was erased before is archived without content.
  const other = await makeRun("acme");
  await open("acme").blobs.erase(other);
  await archive();
  expect(await bundle("acme", other)).not.toContain('"content":{"blobs"');
});

test("content that a killed command left without a note is erased, and the run kept", async () => {
  // No run of it is noted: its place is known all the same.
  const first = await leave("solo");
  const draft = join(folder, ".drafts", `solo~${first.slice(0, 2)}~${first}.json~${randomUUID()}`);
  writeFileSync(draft, "content");
  await open("solo").blobs.erase(first);
  expect(hasContent(fileOf("solo", first))).toBe(false);
  expect(existsSync(draft)).toBe(false);
  expect(await archive()).toMatchObject({ archived: 1, refused: 0 });
  const collected = await collectRun(open("solo"), first);
  expect((await verifyRun(collected, { keys, production: false })).verdict).toBe("valid");
});

test("what was left in an earlier folder is erased with a run noted in another", async () => {
  const run = await leave("moved");
  expect(await archive({ archive: folderArchive(second) })).toMatchObject({ archived: 1 });
  for (const file of [fileOf, fileInSecond]) expect(hasContent(file("moved", run))).toBe(true);
  // The erasure finds every folder, and also a file that is damaged by now.
  const other = await leave("moved");
  expect(await archive({ archive: folderArchive(second) })).toMatchObject({ archived: 1 });
  writeFileSync(fileOf("moved", other), "half a bun");
  await open("moved").blobs.erase(run);
  const place = { tenant: "moved", place: second, openArchive: folderArchive };
  await withArchived(pool.forTenant("moved"), place).blobs.erase(other);
  for (const file of [fileOf, fileInSecond]) expect(hasContent(file("moved", run))).toBe(false);
  expect(existsSync(fileOf("moved", other))).toBe(false);
  expect(hasContent(fileInSecond("moved", other))).toBe(false);
  for (const each of [run, other]) {
    const collected = await collectRun(open("moved"), each);
    expect((await verifyRun(collected, { keys, production: false })).verdict).toBe("valid");
  }
});

test("an archive that cannot be used keeps no other from being erased", async () => {
  const run = await leave("broken");
  expect(await archive({ archive: folderArchive(second) })).toMatchObject({ archived: 1 });
  renameSync(second, `${second}-aside`);
  symlinkSync(second, second);
  await expect(open("broken").blobs.erase(run)).rejects.toMatchObject({
    ...{ code: "STORE_UNREACHABLE", message: `the archive ${second} fails with ELOOP` },
  });
  expect(hasContent(fileOf("broken", run))).toBe(false);
  rmSync(second);
  renameSync(`${second}-aside`, second);
  expect(hasContent(fileInSecond("broken", run))).toBe(true);
  expect(await open("broken").blobs.readKey(run)).toBeUndefined();
  await open("broken").blobs.erase(run);
  expect(hasContent(fileInSecond("broken", run))).toBe(false);
});

test("who archives an erased run to another folder leaves nothing in the earlier one", async () => {
  const [ended, recent] = [await leave("later"), await leave("recent")];
  // Erased at a moment at which nothing was there yet: only the database knows of it.
  await pool.forTenant("later").blobs.erase(ended);
  await pool.forTenant("recent").blobs.erase(recent);
  const work = {
    archive: folderArchive(second),
    keepMsOf: (tenant: string) => (tenant === "recent" ? 3_600_000 : undefined),
  };
  // Where it cannot be looked the run stays, and is named.
  const openArchive = (place: string) => {
    if (place === second) return folderArchive(place);
    throw new StoreError("STORE_UNREACHABLE", `the archive ${place} is away`);
  };
  const stays = await archive({ ...work, openArchive });
  expect(stays).toMatchObject({ archived: 0, refused: 2 });
  expect(stays.waiting.length).toBeGreaterThan(0);
  const why = `what was erased may be in an archive: the archive ${folder} is away`;
  const named = [
    { tenant: "later", run: ended, why },
    { tenant: "recent", run: recent, why },
  ];
  expect(stays.refusedRuns).toEqual(expect.arrayContaining(named));
  expect(await archive(work)).toMatchObject({ archived: 1, refused: 0 });
  expect(hasContent(fileOf("later", ended))).toBe(false);
  expect(hasContent(fileOf("recent", recent))).toBe(false);
  expect(await archive()).toMatchObject({ archived: 1, refused: 0 });
});

test("what is put back into the bundle of an erased run is not shown", async () => {
  const run = await makeRun("acme");
  await archive();
  const file = fileOf("acme", run);
  const text = readFileSync(file, "utf8");
  const { content } = JSON.parse(text) as { content: { blobs: Record<string, string> } };
  const [digest = ""] = Object.keys(content.blobs);
  expect(await open("acme").blobs.read(run, digest)).toBeDefined();
  await open("acme").blobs.erase(run);
  writeFileSync(file, text);
  expect(await open("acme").blobs.readKey(run)).toBeUndefined();
  expect(await open("acme").blobs.read(run, digest)).toBeUndefined();
  expect(await bundle("acme", run)).not.toContain('"content":{"blobs"');
  const collected = await collectRun(open("acme"), run);
  expect((await verifyRun(collected, { keys, production: false })).verdict).toBe("valid");
  await open("acme").blobs.erase(run);
  expect(hasContent(file)).toBe(false);
});

test.each(["before it puts", "while it puts"])(
  "whoever lost its hold %s leaves nothing of what was erased since",
  async (moment) => {
    const run = await makeRun("late");
    const lost = book;
    const takeOver = async (): Promise<void> => {
      if (book !== lost) return;
      await loseHold();
      expect(await archive({ tenant: "late" })).toMatchObject({ archived: 1 });
      await open("late").blobs.erase(run);
    };
    const puts: string[] = [];
    const inner = folderArchive(folder);
    const put: typeof inner.put = async (name, bytes) => {
      puts.push(name);
      if (moment === "while it puts") await takeOver();
      await inner.put(name, bytes);
    };
    const proveHold = async (): Promise<void> => {
      if (moment === "before it puts") await takeOver();
      await lost.proveHold();
    };
    await expect(
      archive({ tenant: "late", book: { ...lost, proveHold }, archive: { ...inner, put } }),
    ).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    expect(puts).toHaveLength(moment === "before it puts" ? 0 : 2);
    expect(hasContent(fileOf("late", run))).toBe(false);
    const collected = await collectRun(open("late"), run);
    expect((await verifyRun(collected, { keys, production: false })).verdict).toBe("valid");
    await lost.close();
  },
);

test.each(["before", "after"])(
  "a bundle stays that is noted %s nobody waits for the answer any more",
  async (moment) => {
    const tenant = `unanswered-${moment}`;
    const run = await makeRun(tenant);
    let noteLater = async (): Promise<void> => {};
    const note: ArchiveBook["note"] = async (noted) => {
      const noteNow = async () => expect(await book.note(noted)).toBe("archived");
      if (moment === "before") await noteNow();
      // As when it is committed on the server, and a standby has not confirmed it yet.
      else noteLater = noteNow;
      throw new StoreError("STORE_UNREACHABLE", "no answer");
    };
    await expect(archive({ tenant, book: { ...book, note } })).rejects.toThrow("no answer");
    await noteLater();
    expect(hasContent(fileOf(tenant, run))).toBe(true);
    expect((await open(tenant).log.read(run, 1)).length).toBeGreaterThan(0);
  },
);

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
  // After any number of reads in between, a log must not seem to end at a page.
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
  const { events, ...rest } = JSON.parse(text);
  writeFileSync(file, JSON.stringify({ ...rest, events: events.toSpliced(1, 1) }));
  await expect(read()).rejects.toMatchObject(refused);
  rmSync(file);
  await expect(read()).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  writeFileSync(file, text);
  expect((await read()).length).toBeGreaterThan(0);
});
