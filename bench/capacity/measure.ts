/** Runs through a real engine, worker and database, and what each part spent on them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LocalHost } from "@turnseal/host";
import { ask } from "../../proofs/kit/start-postgres.ts";
import type { Say } from "../../tools/command/progress.ts";
import { type EngineWorld, openEngineWorld, TENANT } from "../engine-world.ts";
import type { FleetNews } from "../fleet-world.ts";
import { createSampleHost, createSigner, startSampleRun } from "../sample-turn.ts";
import type { Effort } from "./measured.ts";
import { readEffort } from "./processor-time.ts";

export interface Batch {
  readonly runs: number;
  readonly turns: number;
  /** How many go on at the same time. */
  readonly atOnce: number;
}

/** What a batch took. */
export interface Spent {
  readonly effort: Effort;
  readonly walKb: number;
}

export interface CapacityWorld {
  /** Cores that are busy while nothing happens. */
  readonly idle: Effort;
  measure(batch: Batch): Promise<Spent>;
  /** Kills everything at once; answers with the seconds until it is up again. */
  restart(): Promise<number>;
  close(): Promise<void>;
}

const SLOTS = 128;
const WARM_UP: Batch = { runs: 64, turns: 4, atOnce: 32 };
/** Cleaning up after a batch takes a moment. */
const SETTLE_MS = 1_000;
const IDLE_MS = 15_000;
const BATCH_MS_MAX = 15 * 60_000;

export async function openCapacityWorld(say: Say): Promise<CapacityWorld> {
  const world = await openEngineWorld({
    program: new URL("../fleet-worker.ts", import.meta.url),
    workers: 1,
    settings: { tenants: [TENANT], slots: SLOTS },
  });
  const host = createSampleHost(world.stores, createSigner(), { put: world.ingress.put });
  const measure = async (batch: Batch): Promise<Spent> => {
    await sleep(SETTLE_MS);
    const before = await look(world);
    await drive(world, host, batch);
    await sleep(SETTLE_MS);
    return subtract(await look(world), before);
  };
  say("warms up");
  await measure(WARM_UP);
  say("idles");
  const idle = await measureIdle(world);
  return {
    idle,
    // Effort of an idle process is not part of a run's cost.
    measure: async (batch) => {
      const beganMs = performance.now();
      const { effort, walKb } = await measure(batch);
      const tookMs = performance.now() - beganMs;
      return { effort: mapParts((part) => effort[part] - idle[part] * tookMs), walKb };
    },
    restart: async () => {
      const beganMs = performance.now();
      await world.restart();
      return (performance.now() - beganMs) / 1_000;
    },
    close: world.close,
  };
}

async function look(world: EngineWorld): Promise<Spent> {
  const [row] = await ask(
    world.databaseUrl,
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes",
  );
  return { effort: await readEffort(world), walKb: Number(row?.["bytes"]) / 1_000 };
}

function subtract(after: Spent, before: Spent): Spent {
  const effort = mapParts((part) => after.effort[part] - before.effort[part]);
  return { effort, walKb: after.walKb - before.walKb };
}

function mapParts(read: (part: keyof Effort) => number): Effort {
  return { worker: read("worker"), postgres: read("postgres"), engine: read("engine") };
}

async function measureIdle(world: EngineWorld): Promise<Effort> {
  await sleep(SETTLE_MS);
  const [before, beganMs] = [await readEffort(world), performance.now()];
  await sleep(IDLE_MS);
  const [after, tookMs] = [await readEffort(world), performance.now() - beganMs];
  return mapParts((part) => (after[part] - before[part]) / tookMs);
}

/** The next run is started when one is done. */
async function drive(world: EngineWorld, host: LocalHost, batch: Batch): Promise<void> {
  const { runs, turns, atOnce } = batch;
  const left = new Map<string, number>();
  const early = new Map<string, number>();
  let [started, ended] = [0, 0];
  let finish = (): void => {};
  const finished = new Promise<void>((resolve, reject) => {
    finish = resolve;
    setTimeout(() => reject(new Error(`${ended} of ${runs} runs were done`)), BATCH_MS_MAX).unref();
  });
  const startNext = async (): Promise<void> => {
    if (started === runs) return;
    started += 1;
    const run = await startSampleRun(host, turns);
    left.set(run, turns - (early.get(run) ?? 0));
    if (left.get(run) === 0) endOne(run);
  };
  const endOne = (run: string): void => {
    left.delete(run);
    ended += 1;
    if (ended === runs) finish();
    else void startNext();
  };
  const hear = ({ done }: FleetNews): void => {
    for (const { key } of done) {
      const rest = left.get(key);
      if (rest === undefined) early.set(key, (early.get(key) ?? 0) + 1);
      else if (rest === 1) endOne(key);
      else left.set(key, rest - 1);
    }
  };
  for (const worker of world.workers()) worker.on("message", hear);
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, runs) }, startNext));
    await finished;
  } finally {
    for (const worker of world.workers()) worker.off("message", hear);
  }
}
