/**
 * Compares the runs of a small tenant beside a tenant that starts everything at once with the same
 * runs alone.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { wholeNumber } from "../tools/command/options.ts";
import type { Say } from "../tools/command/progress.ts";
import type { ValuesOf } from "../tools/command/read-options.ts";
import { startRest } from "./fleet-loops.ts";
import { type FleetWorld, openFleetWorld, percentile } from "./fleet-world.ts";
import type { Benchmark, Figure } from "./report.ts";

const NOISY = "noisy";
const QUIET = "quiet";
const NOISY_MS = 1_000;
const QUIET_MS = 200;
const QUIET_EVERY_MS = 500;
/** How many times as long as alone. */
const RATIO_GOAL = 3;

export const floodSizes = {
  runs: wholeNumber({
    takes: "runs",
    says: "runs that one tenant starts at once",
    default: 500,
    atLeast: 1,
  }),
  slots: wholeNumber({
    takes: "slots",
    says: "slots of the one worker",
    default: 24,
    atLeast: 1,
  }),
  seconds: wholeNumber({
    takes: "seconds",
    says: "for how long the other is watched alone",
    default: 20,
    atLeast: 1,
  }),
};

export const benchFlood: Benchmark<ValuesOf<typeof floodSizes>> = (sizes, say) =>
  measureFlood(sizes, say);

export async function measureFlood(
  { runs, slots, seconds }: ValuesOf<typeof floodSizes>,
  say: Say,
): Promise<Figure[]> {
  const world = await openFleetWorld({ tenants: [NOISY, QUIET], workers: 1, slots });
  try {
    say("both warm up");
    for (const tenant of [NOISY, QUIET])
      await world.whenDone(await startRest(world.hostOf(tenant), 1));
    say("alone");
    const alone = await watchQuiet(world, sleep(seconds * 1_000));
    say(`beside ${runs} runs of ${NOISY_MS} ms`);
    const flood = world.startElsewhere({ tenant: NOISY, runs, ms: NOISY_MS });
    const beside = await watchQuiet(
      world,
      flood.then((started) => Promise.all(started.map(world.whenDone))),
    );
    const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
    return [
      { name: "alone", columns: describe(alone) },
      {
        ...{ name: "beside the flood", columns: { ...describe(beside), ratio } },
        goal: { column: "ratio", atMost: RATIO_GOAL },
      },
    ];
  } finally {
    await world.close();
  }
}

function describe(tookMs: readonly number[]): Figure["columns"] {
  return {
    runs: tookMs.length,
    "p50 ms": percentile(tookMs, 0.5),
    "p90 ms": percentile(tookMs, 0.9),
    "p99 ms": percentile(tookMs, 0.99),
  };
}

/** How long each run took that was started while this lasted, from its start to its seal. */
async function watchQuiet(world: FleetWorld, whole: Promise<unknown>): Promise<number[]> {
  const host = world.hostOf(QUIET);
  let isOver = false;
  const over = whole.finally(() => {
    isOver = true;
  });
  const started: Promise<number>[] = [];
  while (!isOver) {
    const atMs = performance.timeOrigin + performance.now();
    const run = startRest(host, QUIET_MS);
    started.push(run.then(world.whenDone).then((doneMs) => doneMs - atMs));
    await sleep(QUIET_EVERY_MS);
  }
  await over;
  return Promise.all(started);
}
