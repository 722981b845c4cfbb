/**
 * Carries runs in this process, where no engine does: one at a time for each run, again when it was
 * told something meanwhile, and again when the time comes that it waits for.
 */
import type { LocalHost } from "@turnseal/host";
import { isLoopError } from "@turnseal/protocol";
import { createPace } from "./stream/pace.ts";

export interface RunCarrier {
  /** Has a run looked at; returns at once. */
  carry(run: string): void;
  /** Carries nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

export interface CarrierOptions {
  readonly drive: LocalHost["drive"];
  /** What kept a run from going on. It is tried again, unless that cannot help. */
  readonly onFailure?: (run: string, error: unknown) => void;
}

/** Runs that are carried at the same time; the others wait their turn. */
export const CARRIED_RUNS_MAX = 1_000;
/** A run that failed is tried again after so long, each time after twice that, up to the last. */
const RETRY_MS = { first: 1_000, last: 60_000 };
/** The longest time that a timer can hold. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export function carryRuns({ drive, onFailure }: CarrierOptions): RunCarrier {
  const carried = new Map<string, { isTold: boolean; readonly ended: Promise<void> }>();
  const timers = new Map<string, NodeJS.Timeout>();
  const pace = createPace(CARRIED_RUNS_MAX);
  let isClosed = false;
  const failures = new Map<string, number>();
  const planAt = (run: string, atMs: number): void => {
    if (isClosed) return;
    const delayMs = Math.min(Math.max(atMs - Date.now(), 0), TIMER_MS_MAX);
    timers.set(run, setTimeout(() => carry(run), delayMs).unref());
  };
  const fail = (run: string, error: unknown): void => {
    onFailure?.(run, error);
    const count = failures.get(run) ?? 0;
    failures.set(run, count + 1);
    const isHopeless = isLoopError(error) && error.retry === "never";
    if (!isHopeless) planAt(run, Date.now() + Math.min(RETRY_MS.first * 2 ** count, RETRY_MS.last));
  };
  const driveOn = async (run: string): Promise<void> => {
    const entry = carried.get(run);
    while (entry?.isTold === true && !isClosed) {
      entry.isTold = false;
      try {
        const { dues } = await drive(run);
        failures.delete(run);
        if (dues.kind === "wait" && dues.atMs !== undefined) planAt(run, dues.atMs);
      } catch (error) {
        fail(run, error);
      }
    }
  };
  const carry = (run: string): void => {
    clearTimeout(timers.get(run));
    timers.delete(run);
    const entry = carried.get(run);
    if (isClosed) return;
    if (entry !== undefined) {
      entry.isTold = true;
      return;
    }
    const ended = Promise.resolve()
      .then(() => pace(() => driveOn(run)))
      .finally(() => {
        // Whoever told it something after its last look is not forgotten.
        const isTold = carried.get(run)?.isTold === true;
        carried.delete(run);
        if (isTold) carry(run);
      });
    carried.set(run, { isTold: true, ended });
  };
  return {
    carry,
    close: async () => {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all([...carried.values()].map(({ ended }) => ended));
    },
  };
}
