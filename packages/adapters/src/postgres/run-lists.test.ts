/** Lists across runs: whole, in order, page by page. */
import { RUNS_LIST_MAX, type RunSnapshot } from "@turnseal/ports";
import { sampleAppend, sampleWaiting } from "@turnseal/ports/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PostgresStores } from "./postgres-pool.ts";
import { createScratch, type Scratch } from "./scratch-database.test.data.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

const runId = (index: number): string =>
  `${index.toString(16).padStart(8, "0")}-8f3a-4c0e-9b7d-0d5f0a1b2c3d`;
const second = (at: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();

async function addSnapshot(
  { log }: PostgresStores,
  snapshot: Omit<RunSnapshot, "sequence" | "state"> & Partial<Pick<RunSnapshot, "state">>,
): Promise<void> {
  const { run } = snapshot;
  const { epoch, head } = await log.takeEpoch(run);
  const carried = { snapshot: { sequence: 1, state: {}, ...snapshot } };
  await log.append(sampleAppend({ run, epoch, after: head }, carried));
}

test("runs that are due are found, the longest overdue first, RUNS_LIST_MAX at once", async () => {
  const stores = await scratch.open();
  const count = RUNS_LIST_MAX + 1;
  // Later runs are due earlier, and two at a time at the same moment.
  for (let at = 0; at < count; at++)
    await addSnapshot(stores, { run: runId(at), dueAt: second(Math.floor((count - at) / 2)) });
  await addSnapshot(stores, { run: runId(900), dueAt: second(100_000) });
  await addSnapshot(stores, { run: runId(901) });
  await addSnapshot(stores, { run: runId(902), endedAt: second(0) });
  const until = second(1_000);
  const first = await stores.lists.listDue(until);
  const rest = await stores.lists.listDue(until, first.at(-1));
  expect([first.length, rest.length]).toEqual([RUNS_LIST_MAX, 1]);
  const all = [...first, ...rest];
  const inOrder = all.toSorted((a, b) => (a.dueAt + a.run < b.dueAt + b.run ? -1 : 1));
  expect(all).toEqual(inOrder);
  expect(new Set(all.map(({ run }) => run)).size).toBe(count);
  expect(await stores.lists.listDue(until, rest.at(-1))).toEqual([]);
  // A carried run is due at another time.
  await addSnapshot(stores, { run: first[0]?.run ?? "", dueAt: second(200_000) });
  expect((await stores.lists.listDue(until))[0]).toEqual(first[1]);
});

test("what people are asked is listed oldest first, for all and for one role", async () => {
  const stores = await scratch.open();
  const count = RUNS_LIST_MAX + 1;
  for (let at = 0; at < count; at++) {
    const askedAt = second(Math.floor(at / 3));
    const waiting = [1, 2].map((sequence) => ({ ...sampleWaiting(sequence), askedAt }));
    await addSnapshot(stores, { run: runId(at), waiting });
  }
  const pages = [];
  let after: Parameters<typeof stores.lists.listWaiting>[0] = {};
  for (;;) {
    const page = await stores.lists.listWaiting(after);
    const last = page.at(-1);
    if (last === undefined) break;
    pages.push(page);
    after = { after: last };
  }
  expect(pages.map(({ length }) => length)).toEqual([RUNS_LIST_MAX, RUNS_LIST_MAX, 2]);
  const all = pages.flat();
  expect(all.map(({ run, sequence }) => [run, sequence])).toEqual(
    Array.from({ length: count }, (_, at) =>
      [1, 2].map((sequence) => [runId(at), sequence]),
    ).flat(),
  );
  expect(all[0]).toEqual({ run: runId(0), ...sampleWaiting(1), askedAt: second(0) });
  const finance = await stores.lists.listWaiting({ role: "finance" });
  expect(finance.length).toBe(RUNS_LIST_MAX);
  expect(finance.every(({ role }) => role === "finance")).toBe(true);
  const last = finance.at(-1);
  const next = await stores.lists.listWaiting({ role: "finance", ...(last && { after: last }) });
  expect(next.map(({ run }) => run)).toEqual([runId(count - 1)]);
  expect(await stores.lists.listWaiting({ role: "nobody" })).toEqual([]);
});

test("what was answered leaves the list with its append, and a drop empties it", async () => {
  const stores = await scratch.open();
  const run = runId(1);
  const listed = async () => (await stores.lists.listWaiting()).map(({ sequence }) => sequence);
  await addSnapshot(stores, { run, waiting: [1, 2, 3].map(sampleWaiting) });
  expect(await listed()).toEqual([1, 2, 3]);
  await addSnapshot(stores, { run, waiting: [2, 7].map(sampleWaiting) });
  expect(await listed()).toEqual([2, 7]);
  const { epoch, head } = await stores.log.takeEpoch(run);
  await stores.log.append(sampleAppend({ run, epoch, after: head }));
  expect(await listed()).toEqual([2, 7]);
  await stores.runs.drop(run);
  expect(await listed()).toEqual([]);
  await addSnapshot(stores, { run, waiting: [sampleWaiting(2)] });
  await addSnapshot(stores, { run });
  expect(await listed()).toEqual([]);
});

test("runs that were told something that nobody has read are found, page by page", async () => {
  const stores = await scratch.open();
  const count = RUNS_LIST_MAX + 1;
  const tell = (run: string, key: string) =>
    stores.inbox.put({ run, key, kind: "signal", body: { name: "hello" } });
  for (let at = 0; at < count; at++) await tell(runId(at), "one");
  await tell(runId(0), "two");
  const [epoch, head] = await stores.log
    .takeEpoch(runId(1))
    .then((taken) => [taken.epoch, taken.head] as const);
  await stores.log.append(
    sampleAppend({ run: runId(1), epoch, after: head }, { consumed: ["one"] }),
  );
  const until = new Date(Date.now() + 60_000).toISOString();
  const first = await stores.lists.listTold(until);
  const rest = await stores.lists.listTold(until, first.at(-1));
  const told = [...first, ...rest];
  expect(first).toHaveLength(RUNS_LIST_MAX);
  expect(told).toHaveLength(count - 1);
  expect(told).not.toContain(runId(1));
  expect(told).toEqual([...new Set(told)].toSorted());
  expect(await stores.lists.listTold(new Date(Date.now() - 60_000).toISOString())).toEqual([]);
});

test("the newest runs come first, RUNS_LIST_MAX at once, each once", async () => {
  const stores = await scratch.open();
  const count = RUNS_LIST_MAX + 3;
  // Two at a time at the same moment, and the order of ids is another.
  const startOf = (at: number): string => second(Math.floor(((at * 7) % count) / 2));
  for (let at = 0; at < count; at++)
    await addSnapshot(stores, { run: runId(at), state: { startedAt: startOf(at) } });
  await addSnapshot(stores, { run: runId(5_000), waiting: [sampleWaiting(1)] });
  const first = await stores.lists.listNewest();
  const rest = await stores.lists.listNewest(first.at(-1)?.run);
  expect([first.length, rest.length]).toEqual([RUNS_LIST_MAX, 4]);
  const order = [...first, ...rest].map(({ run, state }) => `${state["startedAt"] ?? ""} ${run}`);
  expect(order).toEqual(order.toSorted().reverse());
  expect(new Set(order).size).toBe(count + 1);
  // A snapshot without a start comes last, and is complete.
  expect(rest.at(-1)).toEqual({
    ...{ run: runId(5_000), sequence: 1, state: {}, waiting: [sampleWaiting(1)] },
  });
  expect(await stores.lists.listNewest(runId(5_000))).toEqual([]);
  const grace = await scratch.open({ tenant: "grace" });
  expect(await grace.lists.listNewest()).toEqual([]);
});
