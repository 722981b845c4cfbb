import type { Clock } from "./clock.ts";

// A longer delay overflows the platform's timer and would fire at once.
const DELAY_MS_MAX = 2 ** 31 - 1;

/**
 * The clock of the machine. Its timers keep the process alive only while someone waits for them.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, callback) => {
    // The platform counts whole milliseconds and may call back up to one early.
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0) + 1, DELAY_MS_MAX));
    return () => clearTimeout(timer);
  },
};
