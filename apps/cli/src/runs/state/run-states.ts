import type { RunStanding } from "@turnseal/runtime/folder";

/** Where a run can stand, as `--state` names it. */
export const RUN_STATES = [
  "running",
  "moving",
  "waiting",
  "interrupted",
  "stopped",
] as const satisfies readonly RunStanding["kind"][];
