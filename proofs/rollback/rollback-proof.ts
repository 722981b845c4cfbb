/** The options and the counts of a proof of rollbacks. */
export interface RollbackProof {
  /** Kills at every nth boundary; the seed says at which it begins. */
  readonly every: number;
  readonly seed: number;
  /** At which steps the plan fails, from 1; with 0 none does. */
  readonly failures: readonly number[];
  readonly say: (words: string) => void;
}

export interface RollbackTally {
  plans: number;
  boundaries: number;
  kills: number;
  /** Rollbacks that were judged. */
  rollbacks: number;
  readonly problems: string[];
}

export function createTally(): RollbackTally {
  return { plans: 0, boundaries: 0, kills: 0, rollbacks: 0, problems: [] };
}
