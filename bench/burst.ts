/**
 * Everything at once: compares the rate of runs that all start in one moment with the rate of as
 * many runs that start as fast as they end. Also measures the worker's memory, the failures, and
 * whether the first runs finish first.
 */
import { wholeNumber } from "../tools/command/options.ts";
import type { Say } from "../tools/command/progress.ts";
import type { ValuesOf } from "../tools/command/read-options.ts";
import { type FleetWorld, openFleetWorld } from "./fleet-world.ts";
import type { Benchmark, Figure } from "./report.ts";
import { startSampleRun } from "./sample-turn.ts";

const TENANT = "burst";
/** Open requests of the starter of runs. */
const SENDING_MAX = 256;
const RATIO_GOAL = 0.7;
const MB = 1024 * 1024;

export const burstSizes = {
  runs: wholeNumber({
    takes: "runs",
    says: "runs that are started at once",
    default: 5_000,
    atLeast: 2,
  }),
  slots: wholeNumber({ takes: "slots", says: "slots of the one worker", default: 32, atLeast: 1 }),
};

export const benchBurst: Benchmark<ValuesOf<typeof burstSizes>> = (sizes, say) =>
  measureBurst(sizes, say);

export async function measureBurst(
  { runs, slots }: ValuesOf<typeof burstSizes>,
  say: Say,
): Promise<Figure[]> {
  const world = await openFleetWorld({ tenants: [TENANT], workers: 1, slots });
  try {
    say("warms up");
    await measureRate(world, { runs: Math.min(runs, 200), atOnce: slots, isSteady: true });
    say(`${runs} runs, as fast as they are done`);
    const steady = await measureRate(world, { runs, atOnce: 2 * slots, isSteady: true });
    say(`${runs} runs at once`);
    const burst = await measureRate(world, { runs, atOnce: SENDING_MAX, isSteady: false });
    const { memory, connections } = world.most;
    return [
      { name: "as fast as they are done", columns: { "runs/s": steady.perSecond } },
      {
        name: "at once",
        columns: {
          "runs/s": burst.perSecond,
          ratio: burst.perSecond / steady.perSecond,
          order: burst.order,
          "worker MB": memory / MB,
          connections,
        },
        goal: { column: "ratio", atLeast: RATIO_GOAL },
      },
      ...[...world.errors].map(([name, count]) => ({ name, columns: { errors: count } })),
    ];
  } finally {
    await world.close();
  }
}

interface Size {
  readonly runs: number;
  /** How many are started at once. */
  readonly atOnce: number;
  /** True where the next is started only when one is done. */
  readonly isSteady: boolean;
}

interface Rate {
  readonly perSecond: number;
  /** The rank correlation of when they were started and when they were done. */
  readonly order: number;
}

async function measureRate(world: FleetWorld, { runs, atOnce, isSteady }: Size): Promise<Rate> {
  const host = world.hostOf(TENANT);
  const took: Promise<{ readonly startedMs: number; readonly doneMs: number }>[] = [];
  const beganMs = performance.timeOrigin + performance.now();
  let left = runs;
  const startSome = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const startedMs = performance.timeOrigin + performance.now();
      const done = world.whenDone(await startSampleRun(host, 1));
      took.push(done.then((doneMs) => ({ startedMs, doneMs })));
      if (isSteady) await done;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, runs) }, startSome));
  const all = await Promise.all(took);
  const lastMs = all.reduce((last, { doneMs }) => Math.max(last, doneMs), 0);
  return {
    perSecond: (runs / (lastMs - beganMs)) * 1_000,
    order: correlateRanks(
      all.map(({ startedMs }) => startedMs),
      all.map(({ doneMs }) => doneMs),
    ),
  };
}

function correlateRanks(one: readonly number[], other: readonly number[]): number {
  const [left, right] = [rank(one), rank(other)];
  const count = left.length;
  const apart = left.reduce((sum, at, index) => sum + (at - (right[index] ?? 0)) ** 2, 0);
  return 1 - (6 * apart) / (count * (count ** 2 - 1));
}

function rank(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((one, other) => (values[one] ?? 0) - (values[other] ?? 0));
  const ranks = values.map(() => 0);
  for (const [at, index] of order.entries()) ranks[index] = at;
  return ranks;
}
