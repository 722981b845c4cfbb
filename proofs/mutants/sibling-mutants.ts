import type { Mutant } from "./mutant.ts";

const fanOut = "packages/kernel/src/flow/nodes/fan-out";

/** Faults in items beside one that failed or won. */
export const siblingMutants: readonly Mutant[] = [
  {
    name: "succeeded-items-tried-again",
    file: `${fanOut}/run-fan-out.ts`,
    find: "return value === undefined ? undefined : give(value);",
    replace: "return value === undefined || value !== null ? undefined : give(value);",
  },
  {
    name: "siblings-cut-before-another-try",
    file: `${fanOut}/judge-join.ts`,
    find: "if (isOver(item) || !isAwaited(code))",
    replace: "if (isOver(item) || code !== undefined)",
  },
  {
    name: "tried-again-after-what-was-withdrawn",
    file: "packages/kernel/src/flow/nodes/run-tries.ts",
    find: "if (hasUnknownEffect(world, at)) return outcome;",
    replace: "",
  },
  {
    name: "runs-of-losers-go-on",
    file: `${fanOut}/run-fan-out.ts`,
    find: "runs: runs?.get(index)?.left",
    replace: "runs: undefined",
  },
  {
    name: "runs-of-losers-not-waited-for",
    file: "packages/kernel/src/resume/list-item-runs.ts",
    find: "isOpen: listRuns(own).length > 0",
    replace: "isOpen: false",
  },
];
