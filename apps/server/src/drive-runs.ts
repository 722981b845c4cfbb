/**
 * Drives runs in this process, where no engine does. A run has one driver at a time. It gets
 * another look when a message arrived meanwhile, and when the time comes that it waits for.
 */
import type { LocalHost } from "@turnseal/host";
import { isLoopError } from "@turnseal/protocol";
import { createPace } from "@turnseal/sessions";
import { planLooks } from "./plan-looks.ts";

export interface DrivenRuns {
  /** Has a run looked at; returns at once. */
  lookAt(run: string): void;
  /** Drives nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

export interface DriveRunsOptions {
  /** Drives a run as far as it goes now: a waiting run must not block others. */
  readonly drive: LocalHost["driveNow"];
  /** Returns true when the inbox of the run has a message. Other processes may put one there. */
  readonly isTold?: (run: string) => Promise<boolean>;
  /** Reports what stopped a run. It is tried again, unless a retry cannot help. */
  readonly onFailure?: (run: string, error: unknown) => void;
  /** Reports why a run cannot go on here, after a look at it. */
  readonly onBlocked?: (run: string, blocked: BlockedRun) => void;
}

export type BlockedRun = Extract<
  Awaited<ReturnType<LocalHost["driveNow"]>>["dues"],
  { readonly kind: "blocked" }
>;

/** Runs that are driven at the same time; the others wait their turn. */
export const DRIVEN_RUNS_MAX = 1_000;
/** A run that failed is tried again after so long, each time after twice that, up to the last. */
const RETRY_MS = { first: 1_000, last: 60_000 };

export function driveRuns({ drive, isTold, onFailure, onBlocked }: DriveRunsOptions): DrivenRuns {
  const driven = new Map<string, { isTold: boolean; readonly ended: Promise<void> }>();
  const pace = createPace(DRIVEN_RUNS_MAX);
  let isClosed = false;
  const failures = new Map<string, number>();
  const looks = planLooks({ onDue: (run) => lookAt(run), isTold });
  const fail = (run: string, error: unknown): void => {
    onFailure?.(run, error);
    const count = failures.get(run) ?? 0;
    failures.set(run, count + 1);
    const isHopeless = isLoopError(error) && error.retry === "never";
    if (!isHopeless)
      looks.plan(run, Date.now() + Math.min(RETRY_MS.first * 2 ** count, RETRY_MS.last));
  };
  const driveOn = async (run: string): Promise<void> => {
    const entry = driven.get(run);
    while (entry?.isTold === true && !isClosed) {
      entry.isTold = false;
      try {
        const { dues, lookAtMs, projection } = await drive(run);
        failures.delete(run);
        if (dues.kind === "blocked") onBlocked?.(run, dues);
        // Another process may send the message that a run waits for.
        const isWatched = isTold !== undefined && dues.kind !== "done";
        if (lookAtMs !== undefined || isWatched) looks.plan(run, lookAtMs ?? Infinity);
        // Its parent waits for its result.
        const parent = dues.kind === "done" ? projection?.spec?.parent : undefined;
        if (parent !== undefined) lookAt(parent.run);
      } catch (error) {
        fail(run, error);
      }
    }
  };
  const lookAt = (run: string): void => {
    looks.drop(run);
    const entry = driven.get(run);
    if (isClosed) return;
    if (entry !== undefined) {
      entry.isTold = true;
      return;
    }
    const ended = Promise.resolve()
      .then(() => pace(() => driveOn(run)))
      .finally(() => {
        // A message that arrived after the last look starts another one.
        const isTold = driven.get(run)?.isTold === true;
        driven.delete(run);
        if (isTold) lookAt(run);
      });
    driven.set(run, { isTold: true, ended });
  };
  return {
    lookAt,
    close: async () => {
      isClosed = true;
      looks.close();
      await Promise.all([...driven.values()].map(({ ended }) => ended));
    },
  };
}
