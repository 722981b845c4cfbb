/** One fault from an empty world to its line of the table. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Say } from "../../tools/command/progress.ts";
import { createRandom } from "../kit/random-source.ts";
import type { Fault } from "./faults.ts";
import { judgeRuns } from "./judge-runs.ts";
import { type Load, startLoad } from "./load.ts";
import { findRecovery } from "./recovery.ts";
import type { Line } from "./table.ts";
import { type ChaosWorld, openWorld } from "./world.ts";

export interface FaultOptions {
  readonly turns: number;
  readonly seed: number;
  /** How long a run may stand still before a repair. */
  readonly patienceMs: number;
  readonly say?: Say;
}

/** Runs that move at the same time. */
const MOVING = 48;
/** How often a fault strikes at a small size. */
const SMALL_TURNS = 2_000;

export async function runFault(fault: Fault, options: FaultOptions): Promise<Line> {
  const startedMs = performance.now();
  const world = await openWorld({ nodes: fault.nodes ?? 1 });
  try {
    // A turn may pay again under its key, and is one turn all the same.
    const onPaid = (payments: number): void =>
      options.say?.(
        `${fault.name}: ${Math.min(payments, options.turns)} of ${options.turns} turns`,
      );
    const load = startLoad(world, { turns: options.turns, moving: MOVING, onPaid });
    const strikesMs = await strikeUnderLoad(fault, { world, load, options });
    await load.finish(options.patienceMs);
    const hanging = load.open().length;
    const looked = hanging === 0 ? 0 : await lookAtDue(world);
    if (hanging > 0) await waitForEnd(world, load);
    const stuck = hanging === 0 ? [] : await listOpen(world, load.open());
    const judged = await judgeRuns(world, load.runs);
    for (const words of [...judged.findings, ...stuck].slice(0, 20)) console.error(words);
    return {
      name: fault.name,
      strikes: Math.max(strikesMs.length, world.gate.cuts()),
      turns: judged.turns,
      twice: judged.twice,
      lost: judged.lost,
      failed: judged.failed,
      resumes: judged.resumes,
      unknowns: load.unknowns(),
      invalid: judged.invalid,
      hanging,
      looked,
      stuck: stuck.length,
      ...findRecovery(world.outside.timesMs, strikesMs),
      seconds: (performance.now() - startedMs) / 1_000,
    };
  } finally {
    await world.close();
  }
}

interface Stage {
  readonly world: ChaosWorld;
  readonly load: Load;
  readonly options: FaultOptions;
}

/** Strikes at even distances between a fifth and four fifths of the turns; answers when. */
async function strikeUnderLoad(fault: Fault, { world, load, options }: Stage): Promise<number[]> {
  const strikes = options.turns < SMALL_TURNS ? 1 : fault.strikes;
  const random = createRandom(options.seed);
  const times: number[] = [];
  for (let index = 0; index < strikes; index++) {
    const at = 0.2 + (0.6 * index) / strikes;
    while (load.progress() < at) await sleep(20);
    times.push(performance.now());
    await fault.strike({ world, load, random, isOver: () => load.progress() > 0.8 });
  }
  return times;
}

/** Longer than a run that moves may be silent. */
const SILENT_MS = 3_600_000;

/** Repairs runs: has every run that moves or is due read its log. */
async function lookAtDue({ stores, ingress }: ChaosWorld): Promise<number> {
  const until = new Date(Date.now() + SILENT_MS).toISOString();
  let looked = 0;
  for (let page = await stores.lists.listDue(until); page.length > 0; ) {
    for (const { run } of page) await ingress.look(run);
    looked += page.length;
    page = await stores.lists.listDue(until, page.at(-1));
  }
  return looked;
}

async function waitForEnd(world: ChaosWorld, load: Load): Promise<void> {
  for (let times = 0; times < 300; times++) {
    if ((await listOpen(world, load.open())).length === 0) return;
    await sleep(100);
  }
}

async function listOpen({ pool }: ChaosWorld, runs: readonly string[]): Promise<string[]> {
  const question = `select run, due_at from turnseal.run
    where run = any($1) and ended_at is null`;
  const { rows } = await pool.query(question, [runs]);
  return rows.map(({ run, due_at }) => `${run} stands still, due ${String(due_at)}`);
}
