import type { RunSnapshot } from "@turnseal/ports";
import { memoryStores, systemClock } from "@turnseal/ports";
import { sampleAppend } from "@turnseal/ports/contracts";
import { expect, test } from "vitest";
import { findRun } from "../local/find-run.ts";
import { RUNS_READ_MAX } from "../local/list-runs.ts";
import type { EngineSide } from "./engine-side.ts";
import { ASKING_READ_MAX, listAsking, listNamed } from "./find-runs.ts";

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
  lists: { listDue: async () => [], listTold: async () => [], listWaiting: async () => [] },
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

test("runs that ask for somebody come from the list of them, each once", async () => {
  const [first, second] = [run("0a"), run("0b")];
  const stores = await openStores(first, second);
  const entry = (id: string, sequence: number) => ({
    ...{ run: id, sequence, id: `${sequence}`, kind: "approval", name: "local.pay", role: null },
    ...{ askedAt: "2026-01-01T00:00:00.000Z", decideBy: null },
  });
  const entries = [entry(first, 1), entry(first, 2), entry(second, 3)];
  const lists: EngineSide["lists"] = {
    ...engine.lists,
    listWaiting: async ({ after } = {}) =>
      entries.filter(({ sequence }) => sequence > (after?.sequence ?? 0)).slice(0, 1),
  };
  const asking = await listAsking({ stores, engine: { ...engine, lists } });
  expect(asking.map((known) => known.run).toSorted()).toEqual([first, second]);
});

test("one command reads at most so many", () => {
  expect({ RUNS_READ_MAX, ASKING_READ_MAX }).toEqual({
    RUNS_READ_MAX: 10_000,
    ASKING_READ_MAX: 1_000,
  });
});
