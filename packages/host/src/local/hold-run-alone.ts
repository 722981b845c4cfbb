/**
 * One caller at a time drives a run: callers of one host one after the other, processes by the
 * lease of the store. The next caller finds the outcome in the log, and no action is taken from a
 * process in the middle of it.
 *
 * 1. A caller waits without a bound for another of this host, whose actions have deadlines.
 * 2. A caller waits for another process as long as it chooses, and then learns who drives the run.
 * 3. A lease is no safety: who writes is decided by the epoch alone.
 */
import type { LeaseHolder, RunLeases } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import type { AdvanceOptions } from "../advance.ts";
import type { HostPorts } from "../host-ports.ts";

export interface DriveOptions extends AdvanceOptions {
  /** How long to wait for another process that drives the run: by default `CARRIED_WAIT_MS`. */
  readonly waitMs?: number;
  /** True if the caller itself holds the lease of the run. */
  readonly isHeld?: boolean;
}

/** How long a caller waits for another process that drives the run. */
export const CARRIED_WAIT_MS = 60_000;
/** How often it looks whether that process has ended its work, or has died. */
export const CARRIED_LOOK_MS = 250;

/** Another process drives the run, and still did when the wait was over. */
export interface CarriedElsewhere {
  readonly kind: "carried";
  readonly holder: LeaseHolder;
}

export type HoldAlone = <Value>(
  run: string,
  work: () => Promise<Value>,
  options?: DriveOptions,
) => Promise<Value | CarriedElsewhere>;

/** Binds what lets one caller at a time drive a run. */
export function createHoldAlone({ stores, clock }: Pick<HostPorts, "stores" | "clock">): HoldAlone {
  const { leases } = stores;
  const tails = new Map<string, Promise<void>>();
  return (run, work, options = {}) => {
    const isOwn = leases === undefined || options.isHeld === true;
    const begin = isOwn ? work : () => workUnderLease({ run, work, leases, clock }, options);
    const driven = (tails.get(run) ?? Promise.resolve()).then(begin);
    const tail = driven.then(
      () => {},
      () => {},
    );
    tails.set(run, tail);
    void tail.then(() => {
      if (tails.get(run) === tail) tails.delete(run);
    });
    return driven;
  };
}

interface Leased<Value> extends Pick<HostPorts, "clock"> {
  readonly run: string;
  readonly work: () => Promise<Value>;
  readonly leases: RunLeases;
}

async function workUnderLease<Value>(
  { run, work, leases, clock }: Leased<Value>,
  { waitMs = CARRIED_WAIT_MS, leave, attempt }: DriveOptions,
): Promise<Value | CarriedElsewhere> {
  const untilMs = clock.now() + waitMs;
  const isOver = (): boolean =>
    clock.now() >= untilMs || leave?.aborted === true || attempt?.aborted === true;
  for (;;) {
    const answer = await leases.take(run);
    if (answer.kind === "taken") {
      try {
        return await work();
      } catch (error) {
        // Another process took the run over: its outcome is this caller's, too.
        if (!isFenced(error) || isOver()) throw error;
      } finally {
        await answer.lease.release();
      }
    } else if (isOver()) return { kind: "carried", holder: answer.holder };
    await new Promise<void>((resume) => {
      clock.after(CARRIED_LOOK_MS, resume);
    });
  }
}

function isFenced(error: unknown): boolean {
  return isLoopError(error) && error.code === "LOG_FENCED";
}
