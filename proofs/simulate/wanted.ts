import type { Figure } from "./run-seed.ts";
import type { Wanted } from "./summary.ts";
import { RARE, RARE_AMONG, REQUIRED } from "./tally.ts";

/** The goals of a simulation of runs. */
export const WANTED: Wanted<Figure> = {
  required: REQUIRED,
  rare: RARE,
  rareAmong: RARE_AMONG,
  medians: { turns: 5, workers: 2, crashes: 1 },
};
