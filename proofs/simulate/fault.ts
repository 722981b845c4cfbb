/** A promise of the runtime that did not hold in a simulation. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
}

/**
 * Holds the runtime to its promises, and remembers the first broken one, even if its error is
 * swallowed.
 */
export interface Promises {
  hold(condition: boolean, promise: string): void;
  /** Holds the runtime to something that must be there, and answers with it. */
  need<Value>(value: Value | undefined, promise: string): Value;
  broken(): SimulationError | undefined;
}

export function createPromises(): Promises {
  let broken: SimulationError | undefined;
  const fail = (promise: string): never => {
    broken ??= new SimulationError(promise);
    throw broken;
  };
  return {
    broken: () => broken,
    hold: (condition, promise) => {
      if (!condition) fail(promise);
    },
    need: (value, promise) => (value === undefined ? fail(promise) : value),
  };
}
