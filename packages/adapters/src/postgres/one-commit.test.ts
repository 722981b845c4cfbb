/** The cost of one append: one transaction, with any content, and the same in a long run. */
import {
  headAfter,
  sampleAppend,
  sampleBlob,
  sampleMessage,
  sampleReceipt,
  sampleWaiting,
} from "@turnseal/ports/contracts";
import { EMPTY_HEAD, type Head } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PostgresStores } from "./postgres-pool.ts";
import { createScratch, type Scratch, type Session } from "./scratch-database.test.data.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

test("everything that an append carries is written by one transaction", async () => {
  const stores = await scratch.open({ tenant: "ada" });
  await stores.inbox.put(sampleMessage("hello"));
  const { epoch } = await stores.log.takeEpoch(run);
  const snapshot = { run, sequence: 3, state: {}, waiting: [1, 2].map(sampleWaiting) };
  const carried = {
    ...{ blobs: ["one", "two"].map(sampleBlob), consumed: ["hello"] },
    ...{ receipt: sampleReceipt(1), snapshot },
  };
  await stores.log.append(sampleAppend({ epoch, count: 3 }, carried));
  const session = await scratch.connect();
  const rows = await session.query(`
    select count(distinct transaction) as transactions, count(*) as rows from (
      select xmin::text as transaction from turnseal.head union all
      select xmin::text from turnseal.segment union all
      select xmin::text from turnseal.blob union all
      select xmin::text from turnseal.inbox union all
      select xmin::text from turnseal.receipt union all
      select xmin::text from turnseal.run union all
      select xmin::text from turnseal.waiting) as written`);
  expect(rows).toEqual([{ transactions: "1", rows: "9" }]);
});

test("a hundred appends are a hundred commits", async () => {
  const stores = await scratch.open({ tenant: "commits", connectionsMax: 1 });
  const session = await scratch.connect();
  const { epoch } = await stores.log.takeEpoch(run);
  const before = await readCommits(session);
  await appendTurns(stores, { epoch, after: EMPTY_HEAD, turn: 1, count: 100 });
  // Closing the connection hands its count in.
  await stores.close();
  await expect.poll(async () => (await readCommits(session)) - before).toBeGreaterThanOrEqual(100);
  // Opening took a few: the schema, the standby, the epoch.
  expect((await readCommits(session)) - before).toBeLessThanOrEqual(110);
});

/** Commits of this database, without those of reading the count. */
let looks = 0;
async function readCommits(session: Session): Promise<number> {
  await session.query("select pg_stat_force_next_flush()");
  const [row] = await session.query(`
    select xact_commit as commits from pg_stat_database where datname = current_database()`);
  looks += 2;
  return Number(row?.["commits"]) - looks;
}

interface Turns {
  readonly epoch: number;
  readonly after: Head;
  readonly turn: number;
  readonly count: number;
}

async function appendTurns(
  { log }: PostgresStores,
  { epoch, after, turn, count }: Turns,
): Promise<{ readonly after: Head; readonly quickMs: number }> {
  const timesMs: number[] = [];
  let head = after;
  for (let index = 0; index < count; index++) {
    const append = sampleAppend(
      { epoch, after: head, count: 10 },
      {
        blobs: [sampleBlob(`output of turn ${turn + index}`)],
        receipt: sampleReceipt(turn + index),
        snapshot: { run, sequence: head.sequence, state: { turn } },
      },
    );
    const startedAt = performance.now();
    await log.append(append);
    timesMs.push(performance.now() - startedAt);
    head = headAfter(append);
  }
  // The quickest say what the work takes; the others, what else the machine was doing.
  const quickMs = timesMs.toSorted((a, b) => a - b)[Math.floor(count / 10)] ?? Number.NaN;
  return { after: head, quickMs };
}

test("an append costs the same after ten thousand turns as before", async () => {
  const stores = await scratch.open();
  const { epoch } = await stores.log.takeEpoch(run);
  const early = await appendTurns(stores, { epoch, after: EMPTY_HEAD, turn: 1, count: 200 });
  let { after } = early;
  // The turns between are written many at a time: how long they take is not the question.
  for (let turn = 0; turn < 10_000; turn += 100) {
    const blobs = Array.from({ length: 100 }, (_, at) => sampleBlob(`between ${turn + at}`));
    const append = sampleAppend({ epoch, after, count: 1_000 }, { blobs });
    await stores.log.append(append);
    after = headAfter(append);
  }
  const late = await appendTurns(stores, { epoch, after, turn: 10_000, count: 200 });
  expect(late.after.sequence).toBeGreaterThan(100_000);
  const ratio = late.quickMs / early.quickMs;
  expect(ratio, `${early.quickMs} ms early, ${late.quickMs} ms late`).toBeLessThan(3);
}, 120_000);
