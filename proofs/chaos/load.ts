/**
 * Keeps a number of runs moving until all turns have their messages. It also plays the person who
 * resolves unknown payments.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { LocalHost } from "@turnseal/host";
import { EngineError } from "@turnseal/host/restate";
import type { Policy } from "@turnseal/protocol";
import { nameOrder, PAY_EFFECTS, type PayEffect, payTool, workLoop } from "./payment-turns.ts";
import type { ChaosWorld } from "./world.ts";

export interface ChaosRun {
  readonly run: string;
  readonly label: string;
  readonly effect: PayEffect;
}

export interface LoadOptions {
  readonly turns: number;
  /** Runs that move at the same time. */
  readonly moving: number;
  /** Told again and again how many payments were made. */
  readonly onPaid: (payments: number) => void;
}

export interface Load {
  readonly runs: readonly ChaosRun[];
  /** Runs that have not ended yet. */
  open(): readonly string[];
  /** The share of turns that have paid, from 0 to 1. */
  progress(): number;
  /** Counts the unknown payments that a person resolved. */
  unknowns(): number;
  /** Settles when everything has ended, or nothing moves for so long. */
  finish(patienceMs: number): Promise<void>;
}

/** Turns of each run, and so orders. */
export const RUN_TURNS = 10;

/** Puts the message that starts a run until it is taken; the same again starts nothing. */
export async function startRun(world: ChaosWorld, index: number): Promise<ChaosRun> {
  const effect = PAY_EFFECTS[index % PAY_EFFECTS.length] ?? "once";
  const label = `${effect}-${index}`;
  for (;;) {
    try {
      return { run: await sendStart(world.host, label, effect), label, effect };
    } catch (error) {
      // The engine is away, or a worker's answer was lost.
      if (!(error instanceof EngineError)) throw error;
      await sleep(100);
    }
  }
}

export function sendStart(
  host: LocalHost,
  label: string,
  effect: PayEffect,
  policy?: Policy,
): Promise<string> {
  return host.start(
    workLoop(effect),
    { label, order: 0 },
    {
      key: label,
      ...(policy === undefined ? {} : { policy }),
      grant: { grantor: "chaos", tools: [payTool(effect)], budget: {} },
      bounds: {
        turnsMax: RUN_TURNS,
        resumesMax: 100,
        nextInput: { label: "$.input.label", order: "$.turn" },
        goal: { path: "$.output.isDone", equals: true },
      },
    },
  );
}

export function startLoad(world: ChaosWorld, { turns, moving, onPaid }: LoadOptions): Load {
  const wanted = Math.ceil(turns / RUN_TURNS);
  const runs: ChaosRun[] = [];
  const open = new Set<string>();
  let next = 0;
  let asked = 0;
  let isOver = false;
  let changedMs = performance.now();
  const { timesMs } = world.outside;
  const starter = async (): Promise<void> => {
    while (next < wanted) {
      if (open.size >= moving) {
        await sleep(20);
        continue;
      }
      next += 1;
      const started = await startRun(world, next);
      runs.push(started);
      open.add(started.run);
    }
  };
  const watcher = async (): Promise<void> => {
    while (!isOver) {
      await sleep(200);
      const ended = await listEnded(world, [...open]);
      for (const run of ended) open.delete(run);
      if (ended.length > 0) changedMs = performance.now();
      onPaid(timesMs.length);
      asked += await answerUnknowns(world, [...open]);
    }
  };
  let failure: unknown;
  const working = Promise.all(Array.from({ length: 8 }, () => starter())).catch((error) => {
    failure = error;
  });
  const failLoudly = (): void => {
    if (failure !== undefined) throw failure;
  };
  const watching = watcher();
  return {
    runs,
    open: () => [...open],
    progress: () => {
      failLoudly();
      return Math.min(1, timesMs.length / (wanted * RUN_TURNS));
    },
    unknowns: () => asked,
    finish: async (patienceMs) => {
      await working;
      failLoudly();
      for (;;) {
        const lastMs = Math.max(changedMs, timesMs.at(-1) ?? 0);
        if (open.size === 0 || performance.now() - lastMs > patienceMs) break;
        await sleep(100);
      }
      isOver = true;
      await watching;
    },
  };
}

/** Which of these have ended; none while the database is away. */
async function listEnded({ pool }: ChaosWorld, runs: readonly string[]): Promise<string[]> {
  const question = "select run from turnseal.run where run = any($1) and ended_at is not null";
  const { rows } = await pool.query(question, [runs]).catch(() => ({ rows: [] }));
  return rows.map(({ run }) => String(run));
}

/** The person looks into the ledger and says of every unknown payment whether it happened. */
async function answerUnknowns(world: ChaosWorld, runs: readonly string[]): Promise<number> {
  const { pool, host, outside } = world;
  // Without a due only somebody's word moves them.
  const question = `select run from turnseal.run
    where run = any($1) and ended_at is null and due_at is null`;
  const { rows } = await pool.query(question, [runs]).catch(() => ({ rows: [] }));
  let answered = 0;
  for (const { run } of rows) {
    const projection = await host.show(String(run)).catch(() => undefined);
    for (const { key, isUnknown } of projection?.openTurn?.open ?? []) {
      if (!isUnknown) continue;
      const answer = outside.ledger.hasPaid(key)
        ? ({ resolution: "happened", result: { isPaid: true } } as const)
        : ({ resolution: "retry" } as const);
      const by = { id: "person", roles: [] };
      const put = await host.resolve(String(run), { key, ...answer, by }).catch(() => undefined);
      if (put?.kind === "stored") answered += 1;
    }
  }
  return answered;
}

/** The orders of a run, as the ledger calls them. */
export function ordersOf({ label }: ChaosRun): string[] {
  return Array.from({ length: RUN_TURNS }, (_, order) => nameOrder({ label, order }));
}
