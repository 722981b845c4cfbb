import { expect, test } from "vitest";
import { compare, split } from "./check.ts";
import { EFFORT, IDLE, PARKED, REPAIRED_PER_SECOND, STORED, WAL_KB } from "./measured.ts";
import { BUSY_MAX, computeNeed, type Load, SPARE_CONNECTIONS, WORKER_SLOTS } from "./model.ts";

const nothing: Load = {
  ...{ runsPerSecond: 0, turns: 1, parked: 0, tenants: 1, days: 0, streams: 0, turnSeconds: 0 },
};

test("a run of some turns costs what a run does, and each of its turns", () => {
  const { cores, coresToHave, walMbPerSecond } = computeNeed({
    ...{ ...nothing, runsPerSecond: 100, turns: 3 },
  });
  const spent = (100 * (EFFORT.run.postgres + 3 * EFFORT.turn.postgres)) / 1_000;
  const busy = IDLE.postgres + spent;
  expect(cores.postgres).toBeCloseTo(busy);
  expect(coresToHave.postgres).toBe(Math.ceil(busy / BUSY_MAX));
  expect(walMbPerSecond).toBeCloseTo((100 * (WAL_KB.run + 3 * WAL_KB.turn)) / 1_000);
});

test("what is kept grows with days and with what is parked, and not with tenants", () => {
  const day = computeNeed({ ...nothing, runsPerSecond: 1, turns: 1, days: 1 }).storedGb;
  expect(day).toBeCloseTo((86_400 * STORED.turnKb) / 1_000_000);
  const load = { ...nothing, runsPerSecond: 1, turns: 1, days: 2, tenants: 1_000 };
  expect(computeNeed(load).storedGb).toBeCloseTo(2 * day);
  const parked = computeNeed({ ...nothing, parked: 1_000_000 });
  expect(parked.storedGb).toBeCloseTo(PARKED.databaseKb);
  expect(parked.repairMinutes).toBeCloseTo(1_000_000 / REPAIRED_PER_SECOND / 60);
});

test("workers are as many as slots or cores want, and each has its connections", () => {
  const slow = computeNeed({ ...nothing, runsPerSecond: 1, turns: 1, turnSeconds: 600 });
  expect(slow.slots).toBe(Math.ceil(600 / BUSY_MAX));
  expect(slow.workers).toBe(Math.ceil(slow.slots / WORKER_SLOTS));
  expect(slow.connections).toBe(slow.workers * (WORKER_SLOTS + SPARE_CONNECTIONS));
  const fast = computeNeed({ ...nothing, runsPerSecond: 1_000, turns: 1 });
  expect(fast.workers).toBe(Math.ceil(fast.cores.worker / BUSY_MAX));
});

const effort = { worker: 10, postgres: 20, engine: 40 };

test("two sizes give what a run costs and what a turn does", () => {
  const timesOf = (factor: number) => ({
    effort: {
      ...{ worker: effort.worker * factor, postgres: effort.postgres * factor },
      engine: effort.engine * factor,
    },
    walKb: factor,
  });
  // 2,048 runs of one turn at 3 each, 512 runs of nine at 19: a run is 1, a turn is 2.
  const found = split(timesOf(2_048 * 3), timesOf(512 * 19));
  expect(found.run).toEqual(effort);
  expect(found.turn).toEqual({ worker: 20, postgres: 40, engine: 80 });
  expect(found.walKb).toEqual({ run: 1, turn: 2 });
});

test("what was measured twice as high as computed is half of it apart", () => {
  const batch = { runs: 10, turns: 2, atOnce: 8 };
  const double = 20 * (EFFORT.run.worker + 2 * EFFORT.turn.worker);
  const [worker] = compare(batch, { effort: { ...effort, worker: double }, walKb: 1 });
  expect(worker?.apart).toBeCloseTo(0.5);
  expect(worker?.measured).toBeCloseTo(double / 20);
});
