import { FOLD } from "@turnseal/host";
import { memoryStores, type RunSnapshot, systemClock } from "@turnseal/ports";
import { expect, test } from "vitest";
import type { EngineSide } from "../folder/engine-side.ts";
import { REPAIR_GRACE_MS, repairRuns } from "./repair-runs.ts";

const nowMs = Date.UTC(2026, 0, 31, 12);
const run = (letter: string): string => `${letter.repeat(8)}-8f3a-4c0e-9b7d-0d5f0a1b2c3d`;

/** Lists as a database answers them, one entry per page. */
function openEngine(due: readonly string[], told: readonly string[], deaf: readonly string[] = []) {
  const looked: string[] = [];
  const asked: string[] = [];
  const engine: Pick<EngineSide, "lists" | "look"> = {
    look: async (id) => {
      if (deaf.includes(id)) throw new Error("the engine does not answer");
      looked.push(id);
    },
    lists: {
      listDue: async (until, after) => {
        asked.push(until);
        const at = after === undefined ? 0 : due.indexOf(after.run) + 1;
        return due.slice(at, at + 1).map((id) => ({ run: id, dueAt: until }));
      },
      listNewest: async () => [],
      listUnfinished: async () => [],
      listTold: async (_, after) => {
        const at = after === undefined ? 0 : told.indexOf(after) + 1;
        return told.slice(at, at + 1);
      },
      listWaiting: async () => [],
    },
  };
  return { engine, looked, asked };
}

test("every run that is overdue or was told something is looked at once", async () => {
  const { engine, looked, asked } = openEngine([run("a"), run("b")], [run("b"), run("c")]);
  const repaired = await repairRuns({
    engine,
    stores: memoryStores(systemClock),
    nowMs,
  });
  expect(repaired).toEqual({ overdue: 2, told: 1, restored: 0, failed: [] });
  expect(looked).toEqual([run("a"), run("b"), run("c")]);
  // What is due only now is on its way.
  expect(REPAIR_GRACE_MS).toBe(5_000);
  expect(new Set(asked)).toEqual(new Set([new Date(nowMs - REPAIR_GRACE_MS).toISOString()]));
});

test("a run that the engine does not take is named, and the others are looked at", async () => {
  const { engine, looked } = openEngine([run("a"), run("b")], [], [run("a")]);
  const repaired = await repairRuns({
    engine,
    stores: memoryStores(systemClock),
    nowMs,
  });
  expect(repaired).toEqual({ overdue: 2, told: 0, restored: 0, failed: [run("a")] });
  expect(looked).toEqual([run("b")]);
});

test("after a restore, unfinished runs that moved since then are looked at, too", async () => {
  const { engine, looked } = openEngine([], []);
  const page = [
    {
      run: run("a"),
      state: { fold: FOLD, run: run("a"), stopped: null, lastAt: "2026-01-31T10:00:00.000Z" },
    },
    {
      run: run("b"),
      state: { fold: FOLD, run: run("b"), stopped: null, lastAt: "2026-01-31T08:00:00.000Z" },
    },
    {
      run: run("c"),
      state: { fold: FOLD, run: run("c"), stopped: "failed", lastAt: "2026-01-31T11:00:00.000Z" },
    },
  ] as unknown as RunSnapshot[];
  const runs = {
    ...memoryStores(systemClock).runs,
    list: async (after?: string) => (after === "" || after === undefined ? page : []),
  };
  const afterRestore = new Date("2026-01-31T09:00:00.000Z");
  const repaired = await repairRuns({ engine, stores: { runs }, nowMs, afterRestore });
  expect(repaired).toMatchObject({ restored: 1 });
  expect(looked).toEqual([run("a")]);
});
