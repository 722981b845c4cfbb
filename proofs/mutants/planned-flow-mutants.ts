import type { Mutant } from "./mutant.ts";

const graph = "packages/folds/src/graph";

/** Faults in what plans that were proposed and decided on come to as a graph. */
export const plannedFlowMutants: readonly Mutant[] = [
  {
    name: "steps-without-roles",
    file: `${graph}/run-nodes.ts`,
    find: "      ...(isUuid(loop) ? {} : { agent_role: loop }),\n",
    replace: "",
  },
  {
    name: "reason-forgotten",
    file: `${graph}/fold-requests.ts`,
    find: "if (reason !== undefined) fold.reasons.set(key, reason.digest);",
    replace: "",
  },
  {
    name: "graph-not-kept",
    file: `${graph}/keep-graph.ts`,
    find: "some(({ id }) => id === PLAN_TOOL)",
    replace: 'some(({ id }) => id === "")',
  },
  {
    name: "failed-plan-cancelled",
    file: `${graph}/run-fold.ts`,
    find: '["completed", "failed"] : [status];',
    replace: '["completed", "failed"] : [];',
  },
  {
    name: "cancelled-trace-failed",
    file: `${graph}/fold-run.ts`,
    find: 'outcome === "cancelled" ? "cancelled" : "failed"',
    replace: 'outcome === "cancelled" ? "failed" : "failed"',
  },
  {
    name: "circle-taken",
    file: "packages/protocol/src/plan/parse-plan.ts",
    find: "if (circle !== undefined)",
    replace: "if (circle !== undefined && steps.length === 0)",
  },
  {
    name: "steps-unlimited",
    file: "packages/protocol/src/plan/parse-plan.ts",
    find: "if (steps.length > PLAN_STEPS_MAX)",
    replace: "if (steps.length > 2 * PLAN_STEPS_MAX)",
  },
];
