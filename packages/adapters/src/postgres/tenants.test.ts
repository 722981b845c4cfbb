/**
 * One tenant tries to read, list, erase and detect another's data: through the stores, and with
 * statements of its own under the roles of worker and reader.
 */
import {
  headAfter,
  sampleAppend,
  sampleBlob,
  sampleEntry,
  sampleMessage,
  sampleReceipt,
  sampleWaiting,
} from "@turnseal/ports/contracts";
import { EMPTY_HEAD } from "@turnseal/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresReader, type PostgresStores } from "./postgres-pool.ts";
import {
  createScratch,
  type Scratch,
  type Session,
  TEST_ROLES,
} from "./scratch-database.test.data.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const key = new Uint8Array(32).fill(7);
const blob = sampleBlob("the customer is called Ada");
const dueAt = "2026-02-01T00:00:00.000Z";
const late = "2027-01-01T00:00:00.000Z";
const entry = sampleEntry("1", { from: { run, turn: 1, call: "call" } });
const tables = ["head", "segment", "inbox", "blob", "run_key", "receipt", "run", "waiting"];

let scratch: Scratch;
let ada: PostgresStores;
let grace: PostgresStores;

beforeAll(async () => {
  scratch = await createScratch();
  ada = await scratch.open({ tenant: "ada" });
  grace = await scratch.open({ tenant: "grace" });
  const { epoch } = await ada.log.takeEpoch(run);
  await ada.blobs.keepKey(run, key);
  await ada.inbox.put(sampleMessage("hello"));
  await ada.inbox.put(sampleMessage("waits"));
  const snapshot = { run, sequence: 3, state: {}, dueAt, waiting: [sampleWaiting(1)] };
  const carried = { blobs: [blob], consumed: ["hello"], receipt: sampleReceipt(1), snapshot };
  await ada.log.append(sampleAppend({ epoch, count: 3 }, carried));
  await ada.calls.put(entry, 0);
});
afterAll(() => scratch.drop());

/** Everything that a tenant has of the run. */
async function readAll(stores: PostgresStores): Promise<Record<string, unknown>> {
  return {
    head: await stores.log.readHead(run),
    events: (await stores.log.read(run, 1)).length,
    inbox: (await stores.inbox.peek(run)).length,
    blob: (await stores.blobs.read(run, blob.digest))?.length,
    receipt: (await stores.receipts.read(run, 1))?.turn,
    receipts: (await stores.receipts.list(run, 1)).length,
    snapshot: (await stores.runs.read(run))?.sequence,
    runs: (await stores.runs.list()).length,
    due: (await stores.lists.listDue(late)).length,
    waiting: (await stores.lists.listWaiting()).length,
    finance: (await stores.lists.listWaiting({ role: "finance" })).length,
  };
}

const none = { events: 0, inbox: 0, receipts: 0, runs: 0, due: 0, waiting: 0, finance: 0 };

describe("through the stores", () => {
  test("the other tenant has nothing of the run, and its owner has all", async () => {
    expect(await readAll(grace)).toEqual({
      ...none,
      head: undefined,
      blob: undefined,
      receipt: undefined,
      snapshot: undefined,
    });
    expect(await readAll(ada)).toMatchObject({
      events: 3,
      inbox: 1,
      blob: blob.size,
      receipts: 1,
      runs: 1,
      due: 1,
      waiting: 1,
      finance: 1,
    });
  });

  test("no answer tells whether the run, its keys or its content exist", async () => {
    const tenant = "detective";
    const stores = await scratch.open({ tenant });
    const before = await readAll(ada);
    expect(await stores.inbox.put(sampleMessage("hello"))).toEqual({ kind: "stored" });
    const otherKey = new Uint8Array(32).fill(9);
    expect(await stores.blobs.keepKey(run, otherKey)).toEqual(otherKey);
    expect(await stores.log.takeEpoch(run)).toEqual({ epoch: 1, head: EMPTY_HEAD });
    await stores.blobs.put(run, { ...blob, bytes: new Uint8Array([1]) });
    expect(await stores.blobs.read(run, blob.digest)).toEqual(new Uint8Array([1]));
    const append = sampleAppend({ epoch: 1 }, { receipt: sampleReceipt(1) });
    expect((await stores.log.append(append)).kind).toBe("appended");
    expect(await readAll(ada)).toEqual(before);
  });

  test("an erasure, a drop and a retention of another tenant change nothing", async () => {
    const before = await readAll(ada);
    await grace.blobs.erase(run);
    await grace.runs.drop(run);
    expect(await grace.eraseEnded(late)).toEqual({ erased: [], isDone: true });
    expect(await readAll(ada)).toEqual(before);
    expect(await ada.blobs.keepKey(run, new Uint8Array(32))).toEqual(key);
    // Its owner goes on, and its content does not count as erased.
    const head = await ada.log.readHead(run);
    const next = sampleAppend({ epoch: head?.epoch ?? 0, after: head ?? EMPTY_HEAD });
    expect((await ada.log.append(next)).kind).toBe("appended");
    expect(headAfter(next).sequence).toBe(4);
  });

  test("a call that one tenant has the answer to is unknown to another", async () => {
    expect(await ada.calls.find(entry.name, 0)).toEqual(entry);
    expect(await grace.calls.find(entry.name, 0)).toBeUndefined();
    const [mine, theirs] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    expect(await ada.calls.keepKey(mine)).toEqual(mine);
    expect(await grace.calls.keepKey(theirs)).toEqual(theirs);
    await grace.calls.put({ ...entry, expiresAtMs: entry.expiresAtMs + 1 }, 0);
    expect(await ada.calls.find(entry.name, 0)).toEqual(entry);
  });

  test("a reader reads its own tenant, and no other", async () => {
    const open = (tenant: string) =>
      openPostgresReader({ url: scratch.url, tenant, roles: TEST_ROLES });
    const [own, other] = [await open("ada"), await open("nobody")];
    expect((await own.log.read(run, 1)).length).toBeGreaterThan(0);
    expect((await own.blobs.read(run, blob.digest))?.length).toBe(blob.size);
    expect(await other.log.read(run, 1)).toEqual([]);
    expect(await other.blobs.read(run, blob.digest)).toBeUndefined();
    expect(await other.runs.list()).toEqual([]);
    expect(await other.lists.listWaiting()).toEqual([]);
    await own.close();
    await other.close();
  });
});

describe("with statements of its own", () => {
  const connect = (tenant: string | undefined, role: string): Promise<Session> =>
    scratch.connect({ role, ...(tenant === undefined ? {} : { "turnseal.tenant": tenant }) });

  const count = async (session: Session, table: string): Promise<number> => {
    const [row] = await session.query(`select count(*) as count from turnseal.${table}`);
    return Number(row?.["count"]);
  };

  test("a worker sees rows of its tenant only, and none without a tenant", async () => {
    const own = await connect("ada", TEST_ROLES.worker);
    const other = await connect("stranger", TEST_ROLES.worker);
    const nobody = await connect(undefined, TEST_ROLES.worker);
    for (const table of [...tables, "cached_call"]) {
      expect([table, (await count(own, table)) > 0]).toEqual([table, true]);
      expect([table, await count(other, table)]).toEqual([table, 0]);
      expect([table, await count(nobody, table)]).toEqual([table, 0]);
    }
  });

  test("a worker changes and deletes nothing of another tenant", async () => {
    const session = await connect("stranger", TEST_ROLES.worker);
    const before = await readAll(ada);
    for (const table of ["blob", "run_key", "run", "waiting", "cached_call"])
      await session.query(`delete from turnseal.${table}`);
    await session.query("update turnseal.head set epoch = epoch + 100");
    await session.query("update turnseal.inbox set body = null");
    await session.query("update turnseal.run set state = '{}'");
    expect(await readAll(ada)).toEqual(before);
    expect(await ada.blobs.keepKey(run, new Uint8Array(32))).toEqual(key);
    expect(await ada.calls.find(entry.name, 0)).toEqual(entry);
  });

  test("a worker adds nothing under the name of another tenant", async () => {
    const session = await connect("stranger", TEST_ROLES.worker);
    const forged = [
      `insert into turnseal.head (tenant, run) values ('ada', '${run}')`,
      `insert into turnseal.segment values ('ada', '${run}', 99, 99, '{}', 1)`,
      `insert into turnseal.inbox (tenant, run, key, kind) values ('ada', '${run}', 'k', 'signal')`,
      `insert into turnseal.blob values ('ada', '${run}', '\\x00', '\\x00', 1)`,
      `insert into turnseal.receipt values ('ada', '${run}', 99, 'id', '{}', 1)`,
      "insert into turnseal.cache_key values ('ada', '\\x00')",
    ];
    // 42501 by the policy, and never a taken key, which would tell that the row exists.
    for (const sql of forged)
      await expect(session.query(sql)).rejects.toMatchObject({ code: "42501" });
  });

  test("nobody but the owner reaches a partition past its table", async () => {
    for (const role of [TEST_ROLES.worker, TEST_ROLES.reader]) {
      const session = await connect("ada", role);
      for (const table of tables) {
        const part = ["segment", "blob", "receipt"].includes(table) ? "t1" : "p00";
        await expect(session.query(`select from turnseal.${table}_${part}`)).rejects.toMatchObject({
          code: "42501",
        });
      }
    }
  });
});
