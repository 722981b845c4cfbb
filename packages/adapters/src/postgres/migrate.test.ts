import { randomUUID } from "node:crypto";
import { sampleAppend } from "@turnseal/ports/contracts";
import { afterEach, expect, test } from "vitest";
import { checkComplete, checkMigrations, checksumOf, migratePostgres } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { openPostgresReader, openPostgresStores } from "./postgres-pool.ts";
import {
  askServer,
  connect,
  createScratch,
  TEST_ROLES,
  urlOf,
} from "./scratch-database.test.data.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function createEmpty(): Promise<string> {
  const name = `turnseal_test_${randomUUID().replaceAll("-", "")}`;
  await askServer((session) => session.query(`create database ${name} template template0`));
  cleanups.push(() => askServer((session) => session.query(`drop database ${name} with (force)`)));
  return urlOf(name);
}

// Written down when a migration is released. A line here never changes.
test("the released migrations are what they were", () => {
  expect(MIGRATIONS.map((migration) => [migration.name, checksumOf(migration)])).toEqual([
    ["runs", "f4b18ffdd05d74bde8b489d1f81fd71336a745fdadd9ecaf09b7be1ffc07e189"],
    ["inbox-bytes", "9ce4a4b23fdbbc913462890d223b37bde0bddfcf1eb242e9947af15e0a972e45"],
    ["cached-calls", "0c3b51dc24909145e0e2b0a7f464fd7be01db6b29b283c9f43a48189a41a0da7"],
    ["started-at", "51d6d70c2e6da634aa243ca6f275387efac555de6e81e3448f815edd4b0f18d5"],
    ["releases", "9b766a4df7a1e49bf37646a51bc7de37adf98bc939f62e760f9fb5ec48d0ca1f"],
    ["segments", "e626ce3220b0ed857f051f71bfe01ba1260ef5cf794bf4119ec7e5f3a66b350b"],
    ["packed-state", "67c3815455fe4ac1dc8754e5c8da161f04547b9a5b5e1637edda9186921d452f"],
    ["tenants", "7e1ec2d962477be71a4e54b0b089177d14e9725f58f9155e319f85b0380c1213"],
    ["unfinished", "874cc5de6379815ec77986bc5c8499bbdb63b68159ad1b230259284bbc0422ba"],
    ["periods", "eb9e93e2cd7635598935d5236879218cbcb8421cf8cb3bfda5d2786acafbe03e"],
    ["pauses", "e66a22c4771e4e521ba1e83915a7e721e419535e28931cfb06427a0c3c4a71b4"],
    ["tenant-quota", "c1629029e59a548d204358948d43ba220aec13af68abc673e228bc546e890df6"],
    ["audit", "9edc0584032097bbdc6128c858b0684d0866c781d2108d7c3ab9933d469ddf3a"],
    ["signing-keys", "db46dcadf668e148d254a698ac403c0df6970ae48a1e5f034440386de47563a5"],
    ["values", "45faa1fe47bf39521220996b3fc82c825969cf28c45fee2fe65d2cb263df4ff5"],
    ["graphs", "76a4913cd9661354fa5f5dc92816c9f277d20d70ddce80498f3dfe2fe030b9ce"],
    ["graph-traces", "0fbdf4ca8db8d0a690711be9833c3805bbad55006d7e3233ab8c062d631842a5"],
    ["outbox", "bd1b8142836b7e6cabc17c3c651fe249bba8ba5a7dbc30778f1b810a0a5ae7a6"],
  ]);
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, at) => at + 1));
});

test("an empty database is migrated once, also by several at once", async () => {
  const url = await createEmpty();
  const all = await Promise.all(
    Array.from({ length: 4 }, () => migratePostgres({ url, roles: TEST_ROLES })),
  );
  const applied = all.map((migrated) => migrated.applied).filter(({ length }) => length > 0);
  expect(applied).toEqual([MIGRATIONS.map(({ number }) => number)]);
  expect(await migratePostgres({ url, roles: TEST_ROLES })).toEqual({
    roles: TEST_ROLES,
    applied: [],
  });
  const stores = await openPostgresStores({ url, tenant: "ada", roles: TEST_ROLES });
  expect(await stores.runs.list()).toEqual([]);
  await stores.close();
});

test("without names, the roles carry the name of the database and are made", async () => {
  const url = await createEmpty();
  const { roles } = await migratePostgres({ url });
  cleanups.unshift(() =>
    askServer(async (session) => {
      for (const role of Object.values(roles)) await session.query(`drop role "${role}"`);
    }),
  );
  expect(roles.worker).toBe(`${new URL(url).pathname.slice(1)}_worker`);
  const stores = await openPostgresStores({ url, tenant: "ada" });
  await stores.log.takeEpoch(randomUUID());
  await stores.close();
});

test("no superuser is needed: not to migrate, not to work, not to read", async () => {
  const url = await createEmpty();
  const name = new URL(url).pathname.slice(1);
  const [deploy, works, reads] = ["deploy", "works", "reads"].map((who) => `${name}_${who}`);
  const as = (login: string | undefined): string => {
    const address = new URL(url);
    address.username = login ?? "";
    return address.href;
  };
  await askServer(async (session) => {
    await session.query(`create role ${deploy} login createrole`);
    await session.query(`create role ${works} login`);
    await session.query(`create role ${reads} login`);
    await session.query(`grant create on database ${name} to ${deploy}`);
  });
  const { roles } = await migratePostgres({ url: as(deploy) });
  cleanups.unshift(() =>
    askServer(async (session) => {
      for (const role of [deploy, works, reads, ...Object.values(roles)])
        await session.query(`drop role "${role}"`);
    }),
  );
  expect((await migratePostgres({ url: as(deploy) })).applied).toEqual([]);
  const tenant = "ada";
  await expect(openPostgresStores({ url: as(works), tenant })).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
  });
  await askServer(async (session) => {
    await session.query(`grant "${roles.worker}" to ${works}`);
    await session.query(`grant "${roles.reader}" to ${reads}`);
  });
  const stores = await openPostgresStores({ url: as(works), tenant });
  const run = randomUUID();
  const { epoch } = await stores.log.takeEpoch(run);
  expect((await stores.log.append(sampleAppend({ run, epoch }))).kind).toBe("appended");
  const reader = await openPostgresReader({ url: as(reads), tenant });
  expect((await reader.log.read(run, 1)).length).toBe(1);
  await expect(openPostgresStores({ url: as(reads), tenant })).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
  });
  await stores.close();
  await reader.close();
});

test("a database that was not migrated is refused", async () => {
  const url = await createEmpty();
  const options = { url, tenant: "ada", roles: TEST_ROLES };
  const unknown = { code: "STORE_FORMAT_UNKNOWN" };
  await expect(openPostgresStores(options)).rejects.toMatchObject(unknown);
  await expect(openPostgresReader(options)).rejects.toMatchObject(unknown);
});

test("an edited migration and one of a later version are refused, by all", async () => {
  const scratch = await createScratch();
  cleanups.push(() => scratch.drop());
  const session = await scratch.connect();
  const options = { url: scratch.url, tenant: "ada", roles: TEST_ROLES };
  const unknown = { code: "STORE_FORMAT_UNKNOWN" };
  const later = `insert into turnseal.migration values (${MIGRATIONS.length + 1}, 'later', 'x')`;
  for (const sql of [later, "update turnseal.migration set checksum = 'x' where number = 1"]) {
    await session.query(sql);
    await expect(openPostgresStores(options)).rejects.toMatchObject(unknown);
    await expect(migratePostgres(options)).rejects.toMatchObject(unknown);
    await session.query(`delete from turnseal.migration where number > ${MIGRATIONS.length}`);
  }
});

test("a migration that fails leaves nothing", async () => {
  const url = await createEmpty();
  const session = await connect(url);
  // A table of somebody else under a name that the migration needs.
  await session.query(`create schema turnseal authorization ${TEST_ROLES.owner}`);
  await session.query("create table turnseal.waiting (id int)");
  await expect(migratePostgres({ url, roles: TEST_ROLES })).rejects.toThrow("42P07");
  const tables = "select tablename from pg_tables where schemaname = 'turnseal'";
  expect(await session.query(tables)).toEqual([{ tablename: "waiting" }]);
  await session.close();
});

test("one migration ahead is lived with, where it says so, and no more", async () => {
  const scratch = await createScratch();
  cleanups.push(() => scratch.drop());
  const session = await scratch.connect();
  const options = { url: scratch.url, tenant: "ada", roles: TEST_ROLES };
  const known = MIGRATIONS.length;
  const ahead = (number: number, oldest: number | null): string =>
    `insert into turnseal.migration values (${number}, 'later', 'x', now(), ${oldest})`;
  const clear = `delete from turnseal.migration where number > ${known}`;
  await migratePostgres(options);
  await session.query(ahead(known + 1, known));
  await (await openPostgresStores(options)).close();
  await (await openPostgresReader(options)).close();
  expect((await migratePostgres(options)).applied).toEqual([]);
  for (const later of [
    [ahead(known + 1, known + 1)],
    [ahead(known + 1, null)],
    [ahead(known + 1, known), ahead(known + 2, known)],
  ]) {
    await session.query(clear);
    for (const sql of later) await session.query(sql);
    await expect(openPostgresStores(options)).rejects.toMatchObject({
      code: "STORE_FORMAT_UNKNOWN",
      message: expect.stringContaining(`this program knows ${known}: use one that knows`),
    });
  }
});

test("every migration says whom it can live with: the one before it, or nobody", () => {
  for (const { number, oldest } of MIGRATIONS) expect([number, number - 1]).toContain(oldest);
});

test("what was applied is compared with what is known", () => {
  const one = { number: 1, name: "one", sql: "select 1", oldest: 1 };
  const applied = { number: 1, checksum: checksumOf(one), oldest: 1 };
  expect(() => checkMigrations([applied], [one])).not.toThrow();
  expect(() => checkMigrations([{ ...applied, checksum: "x" }], [one])).toThrow("another");
  expect(() => checkMigrations([applied], [])).toThrow("knows 0");
  expect(() => checkComplete([], [one])).toThrow("has 0 of 1");
  expect(() => checkComplete([applied], [one])).not.toThrow();
});
