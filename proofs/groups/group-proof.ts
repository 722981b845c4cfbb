/** The options and the counts of a proof of groups. */
import type { Mutant } from "../mutants/mutant.ts";

export interface GroupProof {
  /** Kills at every nth boundary; the seed says at which it begins. */
  readonly every: number;
  readonly seed: number;
  readonly say: (words: string) => void;
  /** What is put into the runtime, for the proof to notice. */
  readonly fault?: GroupFault;
}

export type GroupFault = Omit<Mutant, "fails">;

export interface GroupTally {
  boundaries: number;
  kills: number;
  /** Groups that were judged. */
  groups: number;
  /** Groups with a member whose end was unknown, so that a person was asked. */
  unknown: number;
  readonly problems: string[];
}

export function createTally(): GroupTally {
  return { boundaries: 0, kills: 0, groups: 0, unknown: 0, problems: [] };
}
