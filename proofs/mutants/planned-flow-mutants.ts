import type { Mutant } from "./mutant.ts";

const graph = "packages/folds/src/graph";

/** Plans that are carried out step by step, with every event compared. */
export const inLine = [
  "planned-flows/flow-01",
  "planned-flows/flow-03",
  "planned-flows/flow-04",
  "planned-flows/flow-05",
  "planned-flows/sa-flow-01",
  "planned-flows/sa-flow-02",
];
const carriedOut = [...inLine, "planned-flows/flow-02"];

/** Faults in what plans that were proposed and decided on come to as a graph. */
export const plannedFlowMutants: readonly Mutant[] = [
  {
    name: "steps-without-roles",
    file: `${graph}/run-nodes.ts`,
    find: "      ...(isUuid(loop) ? {} : { agent_role: loop }),\n",
    replace: "",
    fails: [...carriedOut, "tables/map-flow-01", "tables/map-flow-02"],
  },
  {
    name: "reason-forgotten",
    file: `${graph}/fold-requests.ts`,
    find: "if (reason !== undefined) fold.reasons.set(key, reason.digest);",
    replace: "",
    fails: [...carriedOut, "planned-flows/rejected"],
  },
  {
    name: "graph-not-kept",
    file: `${graph}/keep-graph.ts`,
    find: "some(({ id }) => id === PLAN_TOOL)",
    replace: 'some(({ id }) => id === "")',
    fails: [
      ...carriedOut,
      "planned-flows/context-ended",
      "planned-flows/edited",
      "planned-flows/expired",
      "planned-flows/rejected",
    ],
  },
  {
    name: "failed-plan-cancelled",
    file: `${graph}/run-fold.ts`,
    find: '["completed", "failed"] : [status];',
    replace: '["completed", "failed"] : [];',
    fails: ["planned-flows/step-fails", "planned-flows/step-not-granted"],
  },
  {
    name: "cancelled-trace-failed",
    file: `${graph}/fold-run.ts`,
    find: 'outcome === "cancelled" ? "cancelled" : "failed"',
    replace: 'outcome === "cancelled" ? "failed" : "failed"',
    fails: ["planned-flows/context-ended"],
  },
  {
    name: "circle-taken",
    file: "packages/protocol/src/plan/parse-plan.ts",
    find: "if (circle !== undefined)",
    replace: "if (circle !== undefined && steps.length === 0)",
    fails: ["planned-flows/circle", "planned-flows/waits-for-itself"],
  },
  {
    name: "steps-unlimited",
    file: "packages/protocol/src/plan/parse-plan.ts",
    find: "if (steps.length > PLAN_STEPS_MAX)",
    replace: "if (steps.length > 2 * PLAN_STEPS_MAX)",
    fails: ["planned-flows/too-many-steps"],
  },
];
