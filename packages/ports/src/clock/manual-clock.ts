import type { Clock } from "./clock.ts";

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves the time and runs what has become due, in order of due time. */
  advance(ms: number): void;
  /** Sets the time without running anything: a jump, also backwards. */
  jump(toMs: number): void;
}

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** The in-memory reference of the clock. It starts at 2026-01-01T00:00:00Z. */
export function manualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let current = startMs;
  const timers = new Set<Timer>();
  const nextDue = (until: number): Timer | undefined =>
    [...timers].filter(({ dueAt }) => dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
  return {
    now: () => current,
    after: (delayMs, callback) => {
      const timer = { dueAt: current + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => {
      const until = current + ms;
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer);
        current = Math.max(current, timer.dueAt);
        timer.callback();
      }
      current = until;
    },
    jump: (toMs) => {
      current = toMs;
    },
  };
}
