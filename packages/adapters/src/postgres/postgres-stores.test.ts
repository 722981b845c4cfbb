/** The contracts of the five stores, each case as a tenant of its own in one database. */
import { randomBytes, randomUUID } from "node:crypto";
import {
  blobStoreContract,
  callCacheContract,
  eventLogContract,
  graphStoreContract,
  inboxContract,
  outboxContract,
  type RunLeasesSubject,
  receiptStoreContract,
  runLeasesContract,
  runStoreContract,
  type StoresSubject,
  sampleEntry,
} from "@turnseal/ports/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLeases } from "../leasing-child.test.data.ts";
import { createScratch, type Scratch, type Session } from "./scratch-database.test.data.ts";
import { EXPIRED_BATCH_MAX } from "./statements/put-call.ts";
import { BLOB_SLICE_BYTES_MAX } from "./statements/read-blob.ts";

let scratch: Scratch;
let clock: Session;

beforeAll(async () => {
  scratch = await createScratch();
  clock = await scratch.connect();
});
afterAll(() => scratch.drop());

const contracts = {
  eventLogContract,
  graphStoreContract,
  inboxContract,
  blobStoreContract,
  callCacheContract,
  outboxContract,
  receiptStoreContract,
  runStoreContract,
};

interface OpenSubject extends StoresSubject {
  readonly close: () => Promise<void>;
}

async function create(): Promise<OpenSubject> {
  const stores = await scratch.open();
  const sql = "select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms";
  const readClock = async () => Number((await clock.query(sql))[0]?.["now_ms"]);
  return { stores, readClock, close: () => stores.close() };
}

const destroy = (subject: StoresSubject) => (subject as OpenSubject).close();

describe.each(Object.entries(contracts))("PostgreSQL keeps the %s", (_, contract) => {
  for (const { name, run } of contract({ create, destroy })) test(name, run);
});

describe("PostgreSQL keeps the runLeasesContract", () => {
  const create = async (): Promise<RunLeasesSubject> => {
    const tenant = randomUUID();
    const [one, two] = [await scratch.open({ tenant }), await scratch.open({ tenant })];
    const stores = [one, two];
    return createLeases(() => (stores.pop() ?? one).values);
  };
  for (const { name, run } of runLeasesContract({ create, destroy: ({ kill }) => kill() }))
    test(name, run);
});

test("a blob of BLOB_SLICE_BYTES_MAX bytes, and larger ones, are read whole", async () => {
  const { blobs } = await scratch.open();
  const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
  const sizes = [0, 1, 2].map((more) => BLOB_SLICE_BYTES_MAX + more);
  for (const [index, size] of [...sizes, 3 * BLOB_SLICE_BYTES_MAX].entries()) {
    const bytes = randomBytes(size);
    const digest = `hmac-sha256:${String(index).repeat(64)}` as const;
    await blobs.put(run, { digest, size, mediaType: "application/octet-stream", bytes });
    const read = await blobs.read(run, digest);
    expect(read?.length).toBe(size);
    expect(bytes.equals(read ?? new Uint8Array())).toBe(true);
  }
});

test("an entry takes the place of EXPIRED_BATCH_MAX whose time has come", async () => {
  const { calls } = await scratch.open({ tenant: "expiry" });
  const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
  const from = { run, turn: 1, call: "call" };
  const name = (index: number): string => String(index).padStart(64, "0");
  for (let index = 0; index <= EXPIRED_BATCH_MAX; index++)
    await calls.put(sampleEntry("1", { name: name(index), from, expiresAtMs: 10 }), 0);
  await calls.put(sampleEntry("2", { from }), 10);
  const session = await scratch.connect();
  const sql = "select count(*)::int as count from turnseal.cached_call where tenant = 'expiry'";
  expect((await session.query(sql))[0]?.["count"]).toBe(2);
});

test("what is no id, digest or text is refused when stored, and not found when read", async () => {
  const { log, blobs, inbox, receipts, runs } = await scratch.open();
  const run = "not-a-run";
  const bytes = new Uint8Array([1]);
  const digest = `hmac-sha256:${"0".repeat(63)}` as const;
  const blob = { digest, size: 1, mediaType: "text/plain", bytes };
  const known = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
  const message = { run: known, key: "k", kind: "signal", body: {} } as const;
  const refused = [
    () => log.takeEpoch(run),
    () => blobs.keepKey(run, bytes),
    () => blobs.put(known, blob),
    () => blobs.put(run, { ...blob, digest: `hmac-sha256:${"0".repeat(64)}` }),
    () => blobs.erase(run),
    () => inbox.put({ ...message, run }),
    () => runs.list(run),
  ];
  for (const attempt of refused) await expect(attempt()).rejects.toThrow(RangeError);
  expect(await log.read(run, 1)).toEqual([]);
  expect(await log.readHead(known.toUpperCase())).toBeUndefined();
  expect(await inbox.peek(run)).toEqual([]);
  expect(await inbox.has(run)).toBe(false);
  expect(await blobs.read(known, digest)).toBeUndefined();
  expect(await blobs.readKey(run)).toBeUndefined();
  expect(await receipts.read(run, 1)).toBeUndefined();
  expect(await receipts.list(run, 1)).toEqual([]);
  expect(await runs.read(run)).toBeUndefined();
  await runs.drop(run);
  expect(await runs.list("")).toEqual([]);
});
