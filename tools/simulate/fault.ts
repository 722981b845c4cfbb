/** A promise of the runtime that did not hold in a simulation. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
}

/**
 * Holds the runtime to its promises, and remembers the first one that was broken, whoever swallows
 * the error.
 */
export interface Promises {
  hold(condition: boolean, promise: string): void;
  broken(): SimulationError | undefined;
}

export function createPromises(): Promises {
  let broken: SimulationError | undefined;
  return {
    broken: () => broken,
    hold: (condition, promise) => {
      if (condition) return;
      broken ??= new SimulationError(promise);
      throw broken;
    },
  };
}
