/** Erasure and retention, in batches, beside runs that must not notice. */
import {
  headAfter,
  sampleAppend,
  sampleBlob,
  sampleMessage,
  sampleReceipt,
  sampleWaiting,
} from "@turnseal/ports/contracts";
import { checkChain, EMPTY_HEAD } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PostgresStores } from "./postgres-pool.ts";
import { RETENTION_RUNS_MAX } from "./retention.ts";
import { createScratch, type Scratch } from "./scratch-database.test.data.ts";
import { ERASE_BATCH_MAX } from "./statements/erase-content.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

const runId = (index: number): string =>
  `${index.toString(16).padStart(8, "0")}-8f3a-4c0e-9b7d-0d5f0a1b2c3d`;
const key = new Uint8Array(32).fill(7);
const blob = sampleBlob("content");
const january = "2026-01-01T00:00:00.000Z";
const march = "2026-03-01T00:00:00.000Z";
const june = "2026-06-01T00:00:00.000Z";

type Said = { readonly endedAt?: string; readonly dueAt?: string; readonly isParked?: boolean };

/** A run with a log, a receipt and content, and its snapshot. */
async function addRun(stores: PostgresStores, run: string, said: Said): Promise<void> {
  const { isParked = false, ...moments } = said;
  const { epoch } = await stores.log.takeEpoch(run);
  await stores.blobs.keepKey(run, key);
  const waiting = isParked ? { waiting: [sampleWaiting(1)] } : {};
  const snapshot = { run, sequence: 3, state: {}, ...moments, ...waiting };
  const carried = { blobs: [blob], receipt: sampleReceipt(1, run), snapshot };
  await stores.log.append(sampleAppend({ run, epoch, count: 3 }, carried));
}

async function hasContent({ blobs }: PostgresStores, run: string): Promise<boolean> {
  return (await blobs.read(run, blob.digest)) !== undefined;
}

test("retention erases the content of what ended long ago, and nothing else", async () => {
  const stores = await scratch.open();
  const [old, recent, parked, moving, dropped] = [1, 2, 3, 4, 5].map(runId) as [
    ...[string, string, string, string, string],
  ];
  await addRun(stores, old, { endedAt: january });
  await addRun(stores, recent, { endedAt: june });
  await addRun(stores, parked, { dueAt: january, isParked: true });
  await addRun(stores, moving, { dueAt: january });
  await addRun(stores, dropped, { endedAt: january });
  // Without a snapshot nobody knows whether it has ended.
  await stores.runs.drop(dropped);
  expect(await stores.eraseEnded(march)).toEqual({ erased: [old], isDone: true });
  expect(await stores.eraseEnded(march)).toEqual({ erased: [], isDone: true });
  const content = [];
  for (const run of [old, recent, parked, moving, dropped])
    content.push(await hasContent(stores, run));
  expect(content).toEqual([false, true, true, true, true]);
  for (const run of [old, recent, parked, moving]) {
    const { epoch: _, ...head } = (await stores.log.readHead(run)) ?? { epoch: 0, ...EMPTY_HEAD };
    const events = await stores.log.read(run, 1);
    expect(checkChain(run, EMPTY_HEAD, events)).toEqual({ kind: "intact", head });
    expect(events.length).toBe(3);
    expect(await stores.receipts.read(run, 1)).toEqual(sampleReceipt(1, run));
  }
  // The parked run still has its open request, and goes on with its key and its content.
  expect((await stores.lists.listWaiting()).map(({ run }) => run)).toEqual([parked]);
  expect(await stores.blobs.keepKey(parked, new Uint8Array(32))).toEqual(key);
  const head = await stores.log.readHead(parked);
  const next = sampleAppend({ run: parked, epoch: head?.epoch ?? 0, after: head ?? EMPTY_HEAD });
  expect((await stores.log.append(next)).kind).toBe("appended");
  expect(headAfter(next).sequence).toBe(4);
});

test("one call erases at most RETENTION_RUNS_MAX runs, and the next call the rest", async () => {
  const stores = await scratch.open();
  const runs = Array.from({ length: RETENTION_RUNS_MAX + 1 }, (_, at) => runId(at));
  for (const run of runs) await addRun(stores, run, { endedAt: january });
  const first = await stores.eraseEnded(march, RETENTION_RUNS_MAX + 1);
  expect(first).toEqual({ erased: runs.slice(0, RETENTION_RUNS_MAX), isDone: false });
  expect(await stores.eraseEnded(march)).toEqual({ erased: runs.slice(-1), isDone: true });
});

test("an erasure takes as many batches of ERASE_BATCH_MAX as it needs", async () => {
  const stores = await scratch.open({ tenant: "large" });
  const run = runId(1);
  await addRun(stores, run, {});
  const count = 2 * ERASE_BATCH_MAX + 1;
  const blobs = Array.from({ length: count }, (_, at) => sampleBlob(`blob ${at}`));
  const { epoch, head } = await stores.log.takeEpoch(run);
  await stores.log.append(sampleAppend({ run, epoch, after: head }, { blobs }));
  for (let at = 0; at < 5; at++) await stores.inbox.put(sampleMessage(`message ${at}`, run));
  await stores.blobs.erase(run);
  const session = await scratch.connect();
  const [left] = await session.query(`
    select (select count(*) from turnseal.blob where tenant = 'large') as blobs,
           (select count(*) from turnseal.run_key where tenant = 'large') as keys,
           (select count(*) from turnseal.inbox where tenant = 'large'
             and (body is not null or fingerprint is not null)) as said`);
  expect(left).toEqual({ blobs: "0", keys: "0", said: "0" });
  expect((await stores.log.read(run, 1)).length).toBe(4);
});
