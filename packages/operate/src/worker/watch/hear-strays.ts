/**
 * Hears what a tool leaves to itself: a promise that fails, and that is awaited nowhere. Node would
 * end the process for it, and with it every other run of the process. An error thrown outside of
 * any promise still does: its half-done work is unknown.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { LogFacts } from "../worker-log.ts";

export interface Strays {
  /** Wraps work on a run, or a tool of it: stray errors from within belong to that. */
  within<Result>(place: LogFacts, carry: () => Promise<Result>): Promise<Result>;
  /** The work that is executed right now. */
  placeOf(): LogFacts;
  /** Leaves strays to the process again. */
  release(): void;
}

/** Tells of each stray with the run that it is of, as far as that is known. */
export function hearStrays(onStray: (error: unknown, place: LogFacts) => void): Strays {
  const carried = new AsyncLocalStorage<LogFacts>();
  const placeOf = (): LogFacts => carried.getStore() ?? {};
  const hear = (error: unknown): void => onStray(error, placeOf());
  process.on("unhandledRejection", hear);
  return {
    within: (place, carry) => carried.run({ ...placeOf(), ...place }, carry),
    placeOf,
    release: () => {
      process.off("unhandledRejection", hear);
    },
  };
}
