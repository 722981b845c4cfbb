/** A run of 10,000 turns, on memory and on SQLite: what the last turns cost against the first. */
import { join } from "node:path";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { memoryStores, type Stores, systemClock } from "@turnseal/ports";
import { median } from "./median.ts";
import type { Figure } from "./report.ts";
import { createSampleHost, createSigner, startSampleRun } from "./sample-turn.ts";

const TURNS = 10_000;
/** From here on a turn is early, and so many are compared at either end. */
const EARLY = 10;
const WINDOW = 200;
const WARM_UP = 500;
const GROWTH_GOAL = 1.2;

export async function measureLongRuns(folder: string): Promise<Figure[]> {
  const onFile = sqliteStores({ file: join(folder, "long.db") });
  const figures = [
    await measureLongRun("memory", memoryStores(systemClock)),
    await measureLongRun("SQLite", onFile),
  ];
  onFile.close();
  return figures;
}

async function measureLongRun(name: string, stores: Stores): Promise<Figure> {
  const host = createSampleHost(stores, createSigner());
  const runTurns = async (turns: number): Promise<number[]> => {
    const times: number[] = [];
    let lastMs = performance.now();
    const run = await startSampleRun(host, turns);
    await host.advance(run, {
      sliceMs: Number.POSITIVE_INFINITY,
      onProgress: () => {
        const nowMs = performance.now();
        times.push(nowMs - lastMs);
        lastMs = nowMs;
      },
    });
    return times;
  };
  await runTurns(WARM_UP);
  const times = await runTurns(TURNS);
  const early = median(times.slice(EARLY, EARLY + WINDOW));
  const late = median(times.slice(TURNS - WINDOW, TURNS));
  return {
    name: `turn ${TURNS.toLocaleString("en")} against ${EARLY}, ${name}`,
    columns: { "early us": early * 1_000, "late us": late * 1_000, ratio: late / early },
    goal: { column: "ratio", atMost: GROWTH_GOAL },
  };
}
