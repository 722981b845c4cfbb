import { callMutants } from "./call-mutants.ts";
import { definitionMutants } from "./definition-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { traceMutants } from "./trace-mutants.ts";

/** Every fault that the conformance suite is known to notice. */
export const mutants: readonly Mutant[] = [...traceMutants, ...callMutants, ...definitionMutants];
