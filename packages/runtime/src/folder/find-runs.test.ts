import type { RunSnapshot } from "@turnseal/ports";
import { memoryStores, systemClock } from "@turnseal/ports";
import { sampleAppend } from "@turnseal/ports/contracts";
import { expect, test } from "vitest";
import type { EngineSide } from "./engine-side.ts";
import { findRun } from "./find-run.ts";
import { ASKING_READ_MAX, listAsking, listNamed } from "./find-runs.ts";
import { listNewest } from "./list-newest.ts";
import { listRuns, RUNS_READ_MAX } from "./list-runs.ts";

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
  lists: {
    ...{ listDue: async () => [], listTold: async () => [] },
    ...{ listStarted: async () => [], listWaiting: async () => [] },
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

/** An engine whose list of what is asked has these, one on each page. */
function asks(entries: readonly ReturnType<typeof entry>[]): EngineSide {
  const listWaiting: EngineSide["lists"]["listWaiting"] = async ({ after } = {}) =>
    entries.filter(({ sequence }) => sequence > (after?.sequence ?? 0)).slice(0, 1);
  return { ...engine, lists: { ...engine.lists, listWaiting } };
}

test("runs that ask for somebody come from the list of them, each once", async () => {
  const [first, second] = [run("0a"), run("0b")];
  const stores = await openStores(first, second);
  const asking = asks([entry(first, 1), entry(first, 2), entry(second, 3)]);
  const { runs, more } = await listAsking({ stores, engine: asking });
  expect(runs.map((known) => known.run).toSorted()).toEqual([first, second]);
  expect(more).toBe(0);
});

const many = Array.from({ length: ASKING_READ_MAX + 2 }, (_, at) =>
  run(at.toString(16).padStart(8, "0")),
);

test("past ASKING_READ_MAX the rest is counted, and each is found by its name", async () => {
  const stores = await openStores(...many);
  const all = asks(many.map((id, at) => entry(id, at + 1)));
  const { runs, more } = await listAsking({ stores, engine: all });
  expect([runs.length, more]).toEqual([ASKING_READ_MAX, 2]);
  const last = many.at(-1) ?? "";
  const named = await listAsking({ stores, engine: all }, ({ id }) => id === `ask-${many.length}`);
  expect(named.runs.map((known) => known.run)).toEqual([last]);
});

const started = (count: number) =>
  many.slice(0, count).map((id, at) => ({
    run: id,
    // The order of ids is not the order of time.
    startedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, (at * 10) % count)).toISOString(),
    ...(at % 2 === 0 ? { endedAt: "2026-01-02T00:00:00.000Z" } : {}),
  }));

/** An engine whose list of starts has these, 100 on each page. */
function starts(entries: ReturnType<typeof started>): EngineSide {
  const listStarted: EngineSide["lists"]["listStarted"] = async (after = "") =>
    entries.filter((each) => each.run > after).slice(0, 100);
  return { ...engine, lists: { ...engine.lists, listStarted } };
}

test("the last run is the one that started last, whatever its id", async () => {
  const entries = started(501);
  const [newest, second] = entries.toSorted((a, b) => (a.startedAt > b.startedAt ? -1 : 1));
  const stores = await openStores(newest?.run ?? "", second?.run ?? "");
  const folder = { path: "", stores, engine: starts(entries) };
  expect(await findRun(folder, "last")).toMatchObject({ known: { run: newest?.run } });
  const unfinished = entries
    .filter(({ endedAt }) => endedAt === undefined)
    .toSorted((a, b) => (a.startedAt > b.startedAt ? -1 : 1))[0];
  const { newest: open } = await listNewest(folder.engine, 1, (each) => each.endedAt === undefined);
  expect(open).toEqual([unfinished]);
});

test("past RUNS_READ_MAX the newest are listed, and the rest is counted", async () => {
  const entries = started(RUNS_READ_MAX + 1);
  const stores = await openStores(...entries.map((each) => each.run));
  const { runs, more } = await listRuns({ path: "", stores, engine: starts(entries) });
  expect([runs.length, more]).toEqual([RUNS_READ_MAX, 1]);
  const oldest = entries.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))[0];
  expect(runs.map((known) => known.run)).not.toContain(oldest?.run);
});
