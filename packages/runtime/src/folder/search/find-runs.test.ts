import { emptyProjection, FOLD } from "@turnseal/folds";
import { type MemoryStores, memoryStores, type RunSnapshot, systemClock } from "@turnseal/ports";
import { sampleAppend } from "@turnseal/ports/contracts";
import type { JsonObject } from "@turnseal/protocol";
import { expect, test } from "vitest";
import type { EngineSide } from "../engine-side.ts";
import { findRun, findUnfinished } from "./find-run.ts";
import { ASKING_READ_MAX, listAsking, listNamed } from "./find-runs.ts";
import { readNewest } from "./list-newest.ts";

const run = (start: string): string =>
  `${start}${"ab3d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d".slice(start.length)}`;

async function openStores(...ids: readonly string[]) {
  const stores = { ...memoryStores(systemClock), close: () => {} };
  for (const id of ids) {
    const { epoch, head } = await stores.log.takeEpoch(id);
    const snapshot = { run: id, sequence: 1, state: { run: id } } as unknown as RunSnapshot;
    await stores.log.append(sampleAppend({ run: id, epoch, after: head }, { snapshot }));
  }
  return stores;
}

const engine: EngineSide = {
  look: async () => {},
  lookAll: async () => {},
  listReleases: async () => [],
  listArchived: async () => [],
  listKeys: async () => [],
  lists: {
    ...{ listDue: async () => [], listTold: async () => [] },
    ...{ listNewest: async () => [], listUnfinished: async () => [], listWaiting: async () => [] },
  },
};

test("a run is found by its id, or by the beginning of it", async () => {
  const [first, second, third] = [run("0a"), run("0b"), run("1a")];
  const stores = await openStores(first, second, third);
  const named = async (name: string) =>
    (await listNamed({ stores }, name)).map((known) => known.run);
  expect(await named(first)).toEqual([first]);
  expect(await named("0")).toEqual([first, second]);
  expect(await named("0b")).toEqual([second]);
  expect(await named(first.slice(0, 12))).toEqual([first]);
  for (const none of ["", "2", "zz", "0-", run("ff"), "../x"])
    expect(await named(none)).toEqual([]);
  const search = await findRun({ path: "", stores, engine }, "0");
  expect(search).toMatchObject({ kind: "unusable", message: expect.stringContaining("2 runs") });
});

const entry = (id: string, sequence: number) => ({
  ...{ run: id, sequence, id: `ask-${sequence}`, kind: "approval", name: "local.pay", role: null },
  ...{ askedAt: "2026-01-01T00:00:00.000Z", decideBy: null },
});

/** An engine whose list of open requests has these, one on each page. */
function asks(entries: readonly ReturnType<typeof entry>[]): EngineSide {
  const listWaiting: EngineSide["lists"]["listWaiting"] = async ({ after } = {}) =>
    entries.filter(({ sequence }) => sequence > (after?.sequence ?? 0)).slice(0, 1);
  return { ...engine, lists: { ...engine.lists, listWaiting } };
}

test("runs that ask for somebody come from the list of them, each once", async () => {
  const [first, second] = [run("0a"), run("0b")];
  const stores = await openStores(first, second);
  const asking = asks([entry(first, 1), entry(first, 2), entry(second, 3)]);
  const all = await listAsking({ stores, engine: asking });
  expect(all?.runs.map((known) => known.run).toSorted()).toEqual([first, second]);
  expect(all).toMatchObject({ more: 0 });
});

const many = Array.from({ length: ASKING_READ_MAX + 2 }, (_, at) =>
  run(at.toString(16).padStart(8, "0")),
);

test("past ASKING_READ_MAX the rest is counted, gone on with, and found by name", async () => {
  const stores = await openStores(...many);
  const all = asks(many.map((id, at) => entry(id, at + 1)));
  const first = await listAsking({ stores, engine: all });
  expect([first?.runs.length, first?.more]).toEqual([ASKING_READ_MAX, 2]);
  const rest = await listAsking({ stores, engine: all }, undefined, first?.last);
  expect(rest?.runs.map((known) => known.run).toSorted()).toEqual(many.slice(-2));
  expect([rest?.more, rest?.last]).toEqual([0, undefined]);
  // Where it was is not known any more.
  expect(await listAsking({ stores, engine: all }, undefined, run("ff"))).toBeUndefined();
  const last = many.at(-1) ?? "";
  const named = await listAsking({ stores, engine: all }, ({ id }) => id === `ask-${many.length}`);
  expect(named?.runs.map((known) => known.run)).toEqual([last]);
});

/** A store with these, the newest last, 100 on each page. */
function pages(ids: readonly string[], stores: MemoryStores) {
  let reads = 0;
  const newest = async (before?: string) => {
    reads += 1;
    const place = before === undefined ? ids.length : ids.indexOf(before);
    const page = ids.slice(Math.max(0, place - 100), place).toReversed();
    return Promise.all(page.map(async (id) => ({ run: id, snapshot: await snapshotOf(id) })));
  };
  const snapshotOf = async (id: string): Promise<RunSnapshot> => {
    const projection = { ...emptyProjection(id), startedAt: "2026-01-01T00:00:00.000Z" };
    const stopped = ids.indexOf(id) >= 300 ? "goal-reached" : null;
    const state = { ...projection, stopped, fold: FOLD } as unknown as JsonObject;
    return { run: id, sequence: 1, state };
  };
  return {
    folder: { path: "", stores: { ...stores, close: () => {} }, newest },
    reads: () => reads,
  };
}

test("the last run is the one that the store lists first, and no more is read", async () => {
  const ids = many.slice(0, 501).toReversed();
  const { folder, reads } = pages(ids, memoryStores(systemClock));
  expect(await findRun(folder, "last")).toMatchObject({ known: { run: ids.at(-1) } });
  expect(reads()).toBe(1);
  expect(await findUnfinished(folder)).toMatchObject({ known: { run: ids[299] } });
});

test("runs are read page by page, each once, also from before one of them", async () => {
  const ids = many.slice(0, 250);
  const { folder } = pages(ids, memoryStores(systemClock));
  const read = async (before?: string) => {
    const listed: string[] = [];
    for await (const known of readNewest(folder, before)) listed.push(known.run);
    return listed;
  };
  expect(await read()).toEqual(ids.toReversed());
  expect(await read(ids[10])).toEqual(ids.slice(0, 10).toReversed());
});
