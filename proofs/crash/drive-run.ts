/** Carries a run to its end, through as many deaths of its workers as are planned. */

import { setTimeout as sleep } from "node:timers/promises";
import { answerUnknowns, type PaymentRun, type Stage } from "./stage.ts";
import { type CrashWorker, startWorker } from "./start-worker.ts";
import type { Plan } from "./worker-messages.ts";

const QUIET_MS = 50;
/** Jobs that one run may take; more means that it hangs. */
export const JOBS_MAX = 60;

/**
 * How one job of a run is to be disturbed: at a boundary, from outside after a while, or not at
 * all.
 */
export interface Disturbance {
  readonly plan: Plan;
  readonly killAfterMs?: number;
}
export const UNDISTURBED: Disturbance = { plan: { kind: "none" } };

export interface DrivenRun {
  readonly isDone: boolean;
  readonly kills: number;
  readonly asked: number;
  /** Boundaries that the first job crossed. */
  readonly crossings: number;
  /** What a worker complained about. */
  readonly complaints: readonly string[];
}

/** A place for one worker at a time; a dead one is replaced. */
export interface Lane {
  worker(): Promise<CrashWorker>;
  close(): void;
}

export function openLane(stage: Stage, hooks: readonly string[] = []): Lane {
  let current: CrashWorker | undefined;
  return {
    worker: async () => {
      if (current === undefined || !current.isAlive()) current = await startWorker(stage, hooks);
      return current;
    },
    close: () => current?.signal("SIGKILL"),
  };
}

/** Gives the run to workers until it is done; `disturb` says what befalls each job. */
export async function driveRun(
  stage: Stage,
  lane: Lane,
  { run, effect }: PaymentRun,
  disturb: (job: number) => Disturbance,
): Promise<DrivenRun> {
  let [kills, asked, crossings, aheadMs] = [0, 0, 0, 0];
  const complaints: string[] = [];
  for (let job = 0; job < JOBS_MAX; job++) {
    const worker = await lane.worker();
    const { plan, killAfterMs } = disturb(job);
    const timer =
      killAfterMs === undefined
        ? undefined
        : setTimeout(() => worker.signal("SIGKILL"), killAfterMs);
    const report = await worker.advance({ run, effect, aheadMs, plan });
    clearTimeout(timer);
    if (report.kind === "killed") kills += 1;
    if (report.kind === "broken") complaints.push(report.message);
    if (report.kind !== "advanced") continue;
    const { dues } = report;
    if (job === 0) crossings = report.crossings;
    if (dues.kind === "done") return { isDone: true, kills, asked, crossings, complaints };
    if (report.isBusy) await quieten(worker);
    if (dues.kind === "wait") asked += await answerUnknowns(stage, run);
    if (dues.kind === "wake") aheadMs = Math.max(aheadMs, dues.atMs - Date.now());
  }
  return { isDone: false, kills, asked, crossings, complaints };
}

/**
 * The clock is about to jump over the grace in which a request of the worker would have arrived. An
 * open request must arrive before that or never. So the worker ends, and its requests get the time
 * to be read.
 */
async function quieten(worker: CrashWorker): Promise<void> {
  await worker.end();
  await sleep(QUIET_MS);
}
