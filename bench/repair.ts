/**
 * The speed of recovery after lost messages: every run waits for an approval with an expiry, so
 * that each needs a timer.
 */
import { createLocalHost } from "@turnseal/host";
import { repairRuns } from "@turnseal/operate/worker";
import pg from "pg";
import { crashSigner } from "../proofs/kit/crash-key.ts";
import { wholeNumber } from "../tools/command/options.ts";
import type { ValuesOf } from "../tools/command/read-options.ts";
import { openEngineWorld } from "./engine-world.ts";
import { spread, waitFor } from "./parked.ts";
import { parkedLoops, startParkedRun } from "./parked-loops.ts";
import type { Benchmark } from "./report.ts";

/** Runs for single looks: enough for a rate. */
const SINGLE_LOOKS_MAX = 300;
const RATE_GOAL = 1_000;

export const repairSizes = {
  runs: wholeNumber({
    takes: "count",
    says: "runs that were parked before the loss",
    default: 2_000,
    atLeast: 1,
  }),
};

export const benchRepair: Benchmark<ValuesOf<typeof repairSizes>> = async ({ runs: size }, say) => {
  const program = new URL("parked-worker.ts", import.meta.url);
  const world = await openEngineWorld({ program, workers: 2, settings: {} });
  const pool = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  pool.on("error", () => {});
  try {
    const { stores, ingress } = world;
    const parts = { ...parkedLoops, stores, signer: crashSigner };
    const host = createLocalHost({ ...parts, put: ingress.put });
    const runs: string[] = [];
    await spread(size, async () => {
      runs.push(await startParkedRun(host));
      say(`${runs.length} of ${size} runs are started`);
    });
    await waitFor({ pool, say }, "select count(*) from turnseal.waiting", size);
    const singles = runs.slice(0, SINGLE_LOOKS_MAX);
    const lookedMs = await timeOf(async () => {
      const left = [...singles];
      await spread(left.length, async () => ingress.look(left.pop() ?? ""));
    });
    let repaired: Awaited<ReturnType<typeof repairRuns>> | undefined;
    const repairedMs = await timeOf(async () => {
      const engine = { lists: stores.lists, lookAll: ingress.lookAll };
      const afterRestore = new Date(0);
      repaired = await repairRuns({ stores, engine, afterRestore, nowMs: Date.now() });
    });
    const [row] = await world
      .admin()
      .query("select count(*) as timers from sys_invocation where status = 'scheduled'");
    const columns = {
      runs: size,
      restored: repaired?.restored ?? 0,
      scheduled: repaired?.scheduled ?? 0,
      failed: repaired?.failed.length ?? size,
      "engine's timers": Number(row?.["timers"]),
      "runs a second": (size * 1_000) / repairedMs,
      "looks a second": (singles.length * 1_000) / lookedMs,
    };
    const goal = { column: "runs a second", atLeast: RATE_GOAL } as const;
    return [{ name: "repair --after-restore", columns, goal }];
  } finally {
    await pool.end();
    await world.close();
  }
};

async function timeOf(act: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}
