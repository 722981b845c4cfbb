import { type Clock, manualClock } from "@turnseal/ports";

/** A clock that moves only on command, and can move on to the next timer. */
export interface VirtualClock extends Clock {
  pass(ms: number): void;
  /** Also backwards. */
  set(atMs: number): void;
  /** Goes on to the next instant at which somebody wants to be called; false when nobody does. */
  skip(): boolean;
}

export function virtualClock(): VirtualClock {
  const manual = manualClock();
  const dues = new Set<{ readonly atMs: number }>();
  return {
    now: manual.now,
    pass: manual.advance,
    set: manual.jump,
    after: (delayMs, callback) => {
      const due = { atMs: manual.now() + delayMs };
      dues.add(due);
      const stop = manual.after(delayMs, () => {
        dues.delete(due);
        callback();
      });
      return () => {
        dues.delete(due);
        stop();
      };
    },
    skip: () => {
      if (dues.size === 0) return false;
      const next = Math.min(...[...dues].map(({ atMs }) => atMs));
      manual.advance(Math.max(0, next - manual.now()));
      return true;
    },
  };
}

/**
 * Waits for work while its time is this clock's: whenever everything in it waits, time goes on. No
 * part of it may wait for anything else, such as a thread or a file.
 */
export async function passTime<Value>(work: Promise<Value>, clock: VirtualClock): Promise<Value> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  for (;;) {
    await letRun();
    if (isOver) return work;
    if (!clock.skip()) throw new Error("the run waits, and nothing is due");
  }
}

/** Lets everything run that can. */
function letRun(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
