import type { Mutant } from "../mutants/mutant.ts";

/** A fault of one line in a guard of the runtime. It must make some seed fail. */
export interface GuardMutant extends Omit<Mutant, "fails"> {
  /** The first seed: where few seeds notice, one that does. */
  readonly from?: number;
}
