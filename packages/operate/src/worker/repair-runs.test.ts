import { FOLD } from "@turnseal/folds";
import { memoryStores, type RunSnapshot, systemClock } from "@turnseal/ports";
import type { EngineSide } from "@turnseal/runtime/folder";
import { expect, test } from "vitest";
import { REPAIR_GRACE_MS, repairRuns } from "./repair-runs.ts";

const nowMs = Date.UTC(2026, 0, 31, 12);
const run = (letter: string): string => `${letter.repeat(8)}-8f3a-4c0e-9b7d-0d5f0a1b2c3d`;

const nothing = {
  ...{ overdue: 0, told: 0, blocked: 0, restored: 0, scheduled: 0, resting: 0, failed: [] },
};

/** Lists as a database answers them, one entry per page. */
function openEngine(due: readonly string[], told: readonly string[], deaf: readonly string[] = []) {
  const looked: string[] = [];
  const asked: string[] = [];
  const engine: Pick<EngineSide, "lists" | "lookAll"> = {
    lookAll: async (looks) => {
      if (looks.some(({ run: id }) => deaf.includes(id)))
        throw new Error("the engine does not answer");
      looked.push(...looks.map(({ run: id, delayMs }) => (delayMs ? `${id} in ${delayMs}` : id)));
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
  expect(repaired).toEqual({ ...nothing, overdue: 2, told: 1 });
  expect(looked).toEqual([run("a"), run("b"), run("c")]);
  // Runs that became due just now are on their way.
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
  expect(repaired).toEqual({ ...nothing, overdue: 2, failed: [run("a")] });
  expect(looked).toEqual([run("b")]);
});

/** A run that was carried to where it stands, as its snapshot says. */
const stateOf = (letter: string, lastAt: string, rest: object = {}) => ({
  ...{ run: run(letter), sequence: 1 },
  state: {
    ...{ fold: FOLD, run: run(letter), stopped: null, lastAt, isCancelled: false },
    ...{ openTurn: null, awaited: null, lastTurn: null, blocked: null },
    ...{ spec: { bounds: {} }, schedule: null },
    ...rest,
  },
});

const waiting = (until: string | null, open: readonly object[] = []) => ({
  openTurn: { turn: 1, open, asked: [], waiting: { for: "person", until } },
});

const recently = "2026-01-31T10:00:00.000Z";

test("after a restore, unfinished runs that moved since then get what they are owed", async () => {
  const { engine, looked } = openEngine([], [run("9")]);
  const page = [
    stateOf("9", recently),
    stateOf("a", recently),
    stateOf("b", "2026-01-31T08:00:00.000Z"),
    stateOf("c", recently, { stopped: "failed" }),
    // A run that waits for a person wakes up when the person answers.
    stateOf("d", recently, waiting(null)),
    stateOf("e", recently, waiting("2026-01-31T12:01:00.000Z")),
    stateOf("f", recently, waiting("2026-01-31T11:00:00.000Z")),
    // Its child may not have its start.
    stateOf("0", recently, waiting(null, [{ handoff: { child: run("1") } }])),
    stateOf("2", recently, { ...waiting(null), blocked: { cause: "tool-missing" } }),
    { run: run("3"), sequence: 1, state: { fold: 1 } },
  ] as unknown as RunSnapshot[];
  const pages: string[] = [];
  const runs = {
    ...memoryStores(systemClock).runs,
    list: async (after = "") => {
      pages.push(after);
      return after === run("8") ? page : [];
    },
  };
  const progress: unknown[] = [];
  const repaired = await repairRuns({
    ...{ engine, stores: { runs }, nowMs, after: run("8") },
    afterRestore: new Date("2026-01-31T09:00:00.000Z"),
    onProgress: (...far) => progress.push(far),
  });
  expect(repaired).toEqual({ ...nothing, told: 1, restored: 7, scheduled: 1, resting: 1 });
  expect(looked).toEqual([
    ...[run("9"), run("a"), `${run("e")} in 60000`, run("f")],
    ...[run("0"), run("2"), run("3")],
  ]);
  expect(pages).toEqual([run("8"), run("3")]);
  expect(progress.at(-1)).toEqual([8, run("3")]);
});

test("many runs are asked for by 500 in a message; a lost one names its own", async () => {
  const sizes: number[] = [];
  const { engine } = openEngine([], []);
  const ids = Array.from({ length: 1_201 }, (_, at) => `${String(at).padStart(8, "0")}-x`);
  const page = ids.map((id) => ({ ...stateOf("a", recently), run: id }));
  const runs = {
    ...memoryStores(systemClock).runs,
    list: async (after = "") => (after === "" ? (page as unknown as RunSnapshot[]) : []),
  };
  const repaired = await repairRuns({
    engine: {
      ...engine,
      lookAll: async (looks) => {
        sizes.push(looks.length);
        if (looks.length < 500) throw new Error("the engine does not answer");
      },
    },
    ...{ stores: { runs }, nowMs, afterRestore: new Date(recently) },
  });
  expect(sizes).toEqual([500, 500, 201]);
  expect(repaired).toEqual({ ...nothing, restored: 1_201, failed: ids.slice(1_000) });
});

test("runs that are blocked are looked at where that is asked for, each once", async () => {
  const { engine, looked } = openEngine([run("b")], []);
  const since = "2026-01-31T11:00:00.000Z";
  const blocked = { blocked: { cause: "limited", what: "tokens-per-day", at: since } };
  const snapshots = [
    stateOf("a", since, blocked),
    stateOf("b", since, blocked),
    stateOf("c", since),
  ];
  const lists = {
    ...engine.lists,
    listUnfinished: async (after = "") => snapshots.filter((each) => each.run > after).slice(0, 2),
  };
  const options = { engine: { ...engine, lists }, stores: memoryStores(systemClock), nowMs };
  expect(await repairRuns(options)).toEqual({ ...nothing, overdue: 1 });
  expect(looked).toEqual([run("b")]);
  const repaired = await repairRuns({ ...options, withBlocked: true });
  expect(repaired).toEqual({ ...nothing, overdue: 1, blocked: 1 });
  expect(looked).toEqual([run("b"), run("b"), run("a")]);
});
