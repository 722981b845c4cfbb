import type { Mutant } from "../mutants/mutant.ts";

/** A fault of one line in a guard of the runtime. It must make some seed fail. */
export interface GuardMutant extends Mutant {
  /** The first seed: one that notices, where few seeds do. */
  readonly from?: number;
}
