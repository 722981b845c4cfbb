import { authorityGuards } from "./authority-guards.ts";
import type { GuardMutant } from "./guard-mutant.ts";
import { hostGuards } from "./host-guards.ts";
import { journalGuards } from "./journal-guards.ts";
import { threadGuards } from "./thread-guards.ts";

/** Every fault that the simulation is known to notice. */
export const guardMutants: readonly GuardMutant[] = [
  ...journalGuards,
  ...authorityGuards,
  ...hostGuards,
  ...threadGuards,
];
