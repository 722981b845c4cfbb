/**
 * One long run on the durable host, a message for each turn. What the last turns cost against the
 * first ones, and how many entries the engine keeps of each message, as the engine itself says.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { wholeNumber } from "../tools/command/options.ts";
import type { Say } from "../tools/command/progress.ts";
import type { ValuesOf } from "../tools/command/read-options.ts";
import {
  collect,
  type EngineWorld,
  openEngineWorld,
  type StepDone,
  TENANT,
} from "./engine-world.ts";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";
import { createSampleHost, createSigner, startSampleRun } from "./sample-turn.ts";

/** From here on a turn is early, and so many are compared at either end. */
const EARLY = 10;
const WINDOW = 300;
const WARM_UP = 300;
const GROWTH_GOAL = 1.2;

export const engineTurnsSizes = {
  turns: wholeNumber({
    takes: "turns",
    says: "turns of the long run",
    default: 10_000,
    atLeast: 1,
  }),
};
type EngineTurnsSizes = ValuesOf<typeof engineTurnsSizes>;

export const benchEngineTurns: Benchmark<EngineTurnsSizes> = async ({ turns }, say) => {
  const world = await openEngineWorld({
    program: new URL("engine-worker.ts", import.meta.url),
    workers: 1,
    settings: { connectionsMax: 10, sliceMs: 0 },
  });
  try {
    // A run keeps no journal of what is done: here it is kept, to be counted.
    await keepJournals(world);
    const host = createSampleHost(world.stores, createSigner(), { put: world.ingress.put });
    await finishRuns(world, [await startSampleRun(host, WARM_UP)]);
    const long = await startSampleRun(host, turns);
    await waitForTurns(world, long, { wanted: turns - WINDOW, say });
    // Both move at the same time, so other work on the machine counts for both.
    const fresh = await startSampleRun(host, EARLY + WINDOW);
    const gaps = await finishRuns(world, [long, fresh]);
    const early = median(gaps.get(fresh)?.slice(EARLY) ?? []);
    const late = median(gaps.get(long)?.slice(-WINDOW) ?? []);
    return [
      {
        name: `turn ${turns.toLocaleString("en")} against ${EARLY}, durable`,
        columns: { "early ms": early, "late ms": late, ratio: late / early },
        goal: { column: "ratio", atMost: GROWTH_GOAL },
      },
      await countEntries(world, long),
    ];
  } finally {
    await world.close();
  }
};

async function keepJournals(world: EngineWorld): Promise<void> {
  const response = await fetch(`${world.engine().admin}/services/Run`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ journal_retention: "1h" }),
  });
  if (!response.ok) throw new Error(`the engine answered ${response.status}`);
}

async function waitForTurns(
  world: EngineWorld,
  run: string,
  { wanted, say }: { readonly wanted: number; readonly say: Say },
): Promise<void> {
  for (;;) {
    await sleep(200);
    const taken = Number((await world.stores.runs.read(run))?.state["turns"]);
    if (taken >= wanted) break;
    say(`${taken} of ${wanted} turns`);
  }
  await collect(world);
}

/** Waits until runs have ended, and answers with the times between their turns. */
async function finishRuns(
  world: EngineWorld,
  runs: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const done: StepDone[] = [];
  const isOver = async (run: string) => (await world.stores.runs.read(run))?.endedAt !== undefined;
  for (;;) {
    await sleep(200);
    const ended = await Promise.all(runs.map(isOver));
    done.push(...(await collect(world)).done);
    if (ended.every(Boolean)) break;
  }
  return new Map(
    runs.map((run) => {
      const times = done.filter(({ key }) => key === run).map(({ atMs }) => atMs);
      return [run, times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))];
    }),
  );
}

/** Entries of the engine's journal: the fewest and the most of any message of the run. */
async function countEntries(world: EngineWorld, run: string): Promise<Figure> {
  const rows = await world.admin().query(
    `select count(j.index) as entries from sys_journal j join sys_invocation i on i.id = j.id
      where i.target_service_key = '${TENANT}:${run}' and i.target_handler_name = 'advance'
      group by j.id`,
  );
  // The first message starts the run and the last finds nothing to do.
  const counts = rows.map(({ entries }) => Number(entries)).sort((left, right) => left - right);
  const [fewest = Number.NaN, most = Number.NaN] = [counts[0], counts.at(-1)];
  return {
    name: "entries of a message in the engine's journal",
    columns: { messages: counts.length, fewest, median: median(counts), most },
    goal: { column: "most", atMost: ENTRIES_MAX },
  };
}

/** Its input, one step, the message that follows, what it remembers of a timer, and its end. */
const ENTRIES_MAX = 8;
