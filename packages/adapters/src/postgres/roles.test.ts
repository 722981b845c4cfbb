/** Tries out the rights of each role. */
import { sampleAppend, sampleReceipt } from "@turnseal/ports/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultRoles, quoteName, rolesOf } from "./roles.ts";
import {
  createScratch,
  type Scratch,
  type Session,
  TEST_ROLES,
} from "./scratch-database.test.data.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const tenant = "ada";
let scratch: Scratch;
let worker: Session;
let reader: Session;

beforeAll(async () => {
  scratch = await createScratch();
  const stores = await scratch.open({ tenant });
  const { epoch } = await stores.log.takeEpoch(run);
  await stores.blobs.keepKey(run, new Uint8Array(32));
  await stores.log.append(sampleAppend({ epoch, count: 3 }, { receipt: sampleReceipt(1) }));
  worker = await scratch.connect({ role: TEST_ROLES.worker, "turnseal.tenant": tenant });
  reader = await scratch.connect({ role: TEST_ROLES.reader, "turnseal.tenant": tenant });
});
afterAll(() => scratch.drop());

const refused = { code: "42501" };

test.each([
  "update turnseal.segment set body = '{}'",
  "update turnseal.segment set first_sequence = 4 where first_sequence = 3",
  "delete from turnseal.segment",
  "truncate turnseal.segment",
  "update turnseal.receipt set envelope = '{}'",
  "delete from turnseal.receipt",
  "truncate turnseal.receipt",
  "delete from turnseal.head",
  "update turnseal.head set period = 0",
  "delete from turnseal.archived",
  "update turnseal.archived set place = 'elsewhere'",
  "insert into turnseal.archive_place values ('ada', 'elsewhere')",
  "delete from turnseal.archive_place",
  "select turnseal.open_period(1)",
  "select turnseal.drop_period(1)",
  "delete from turnseal.inbox",
  "update turnseal.head set tenant = 'grace'",
  "update turnseal.inbox set received_at = now()",
  "update turnseal.blob set bytes = ''",
  "update turnseal.run_key set key = ''",
  "delete from turnseal.migration",
  "alter table turnseal.segment disable row level security",
  "drop policy own_tenant on turnseal.segment",
  "drop table turnseal.segment",
  "create table turnseal.mine (id int)",
])("a worker is refused: %s", async (sql) => {
  await expect(worker.query(sql)).rejects.toMatchObject(refused);
  const [row] = await worker.query("select count(*) as count from turnseal.segment");
  expect(row).toEqual({ count: "1" });
});

test.each([
  "select from turnseal.run_key",
  `insert into turnseal.inbox (tenant, run, key, kind) values ('ada', '${run}', 'k', 'signal')`,
  `insert into turnseal.segment values ('ada', '${run}', 4, 4, '{}', 1)`,
  "update turnseal.head set epoch = 9",
  "delete from turnseal.blob",
  "delete from turnseal.run",
  "select nextval('turnseal.inbox_arrival')",
])("a reader is refused: %s", async (sql) => {
  await expect(reader.query(sql)).rejects.toMatchObject(refused);
});

test("the roles log nobody in, and are no superusers", async () => {
  const session = await scratch.connect();
  const rows = await session.query(
    "select rolcanlogin, rolsuper, rolbypassrls from pg_roles where rolname = any($1)",
    [Object.values(TEST_ROLES)],
  );
  const weak = { rolcanlogin: false, rolsuper: false, rolbypassrls: false };
  expect(rows).toEqual([weak, weak, weak]);
});

test("roles are called after their database, unless something else is said", () => {
  expect(defaultRoles("shop")).toEqual({
    owner: "shop_owner",
    worker: "shop_worker",
    reader: "shop_reader",
  });
  expect(
    rolesOf("postgres://ada@db.example:5432/my%20shop?sslmode=require", { worker: "w" }),
  ).toEqual({ owner: "my shop_owner", worker: "w", reader: "my shop_reader" });
  expect(() => rolesOf("postgres://db.example", undefined)).toThrow(RangeError);
  expect(quoteName('a"b')).toBe('"a""b"');
});
