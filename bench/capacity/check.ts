/** The model against a measurement, and the figures that it is made of. */
import type { Say } from "../../tools/command/progress.ts";
import { type Batch, openCapacityWorld, type Spent } from "./measure.ts";
import type { Effort } from "./measured.ts";
import { scaleEffort, walOf } from "./model.ts";

export interface Compared {
  readonly name: string;
  readonly computed: number;
  readonly measured: number;
  /** How far the computed one is from the measured one, as a share of it. */
  readonly apart: number;
}

export const APART_MAX = 0.25;

/** The model was made from other sizes. */
const CHECKED: readonly Batch[] = [
  { runs: 1_024, turns: 4, atOnce: 8 },
  { runs: 1_024, turns: 4, atOnce: 64 },
];
const SHORT: Batch = { runs: 2_048, turns: 1, atOnce: 32 };
const LONG: Batch = { runs: 512, turns: 9, atOnce: 32 };

export async function checkModel(say: Say): Promise<Compared[]> {
  const world = await openCapacityWorld(say);
  try {
    const compared: Compared[] = [];
    for (const batch of CHECKED) {
      say(`${batch.runs} runs of ${batch.turns} turns, ${batch.atOnce} at once`);
      compared.push(...compare(batch, await world.measure(batch)));
    }
    return compared;
  } finally {
    await world.close();
  }
}

export function compare({ runs, turns, atOnce }: Batch, { effort, walKb }: Spent): Compared[] {
  const computed = scaleEffort(runs, turns);
  const row = (name: string, model: number, found: number): Compared => ({
    name: `${atOnce} at once: ${name} of a turn`,
    computed: model / runs / turns,
    measured: found / runs / turns,
    apart: Math.abs(model - found) / found,
  });
  const parts = Object.keys(effort) as (keyof Effort)[];
  return [
    ...parts.map((part) => row(`ms of ${part}`, computed[part], effort[part])),
    row("KB of log", runs * walOf(turns), walKb),
  ];
}

export interface Remeasured {
  readonly run: Effort;
  readonly turn: Effort;
  readonly walKb: { readonly run: number; readonly turn: number };
  /** Cores that are busy while nothing happens. */
  readonly idle: Effort;
  readonly restartS: number;
}

/** The part of `measured.ts` for this command. */
export async function measureAgain(say: Say): Promise<Remeasured> {
  const world = await openCapacityWorld(say);
  try {
    say("runs of one turn");
    const short = await world.measure(SHORT);
    say("runs of nine turns");
    const long = await world.measure(LONG);
    say("everything is killed");
    const restartS = round(await world.restart());
    return { ...split(short, long), idle: world.idle, restartS };
  } finally {
    await world.close();
  }
}

/** Two sizes, two unknowns: what a run costs, and what each of its turns does. */
export function split(short: Spent, long: Spent): Pick<Remeasured, "run" | "turn" | "walKb"> {
  const solve = (read: (spent: Spent) => number) => {
    const [one, many] = [read(short) / SHORT.runs, read(long) / LONG.runs];
    const turn = (many - one) / (LONG.turns - SHORT.turns);
    return { turn: round(turn), run: round(one - turn * SHORT.turns) };
  };
  const [worker, postgres, engine] = [
    solve(({ effort }) => effort.worker),
    solve(({ effort }) => effort.postgres),
    solve(({ effort }) => effort.engine),
  ];
  return {
    run: { worker: worker.run, postgres: postgres.run, engine: engine.run },
    turn: { worker: worker.turn, postgres: postgres.turn, engine: engine.turn },
    walKb: solve(({ walKb }) => walKb),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
