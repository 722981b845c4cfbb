import type { Mutant } from "./mutant.ts";

const agent = "packages/host/src/single-agent";

const begun = [
  "graph-flow/flow-01-two-steps-one-after-the-other",
  "graph-flow/flow-02-twenty-five-steps",
  "graph-flow/flow-03-six-steps-with-tools",
  "graph-flow/flow-04-six-steps-that-a-model-enriches",
  "graph-flow/flow-05-three-steps-that-were-confirmed-with-a-reason",
  "graph-flow/sa-flow-01-one-step-of-one-role",
  "graph-flow/sa-flow-02-three-steps-of-roles",
  "graph-flow/a-diamond-whose-side-fails-blocks-what-is-below-and-begins-nothing-more",
];
const blocking = [
  "graph-flow/a-diamond-whose-side-fails-blocks-what-is-below-and-begins-nothing-more",
  "graph-flow/a-first-step-that-fails-blocks-all",
];
const executed = [...begun, "graph-flow/a-first-step-that-fails-blocks-all"];

/** Faults in how one agent's flow is executed, and in what is said of it. */
export const agentFlowMutants: readonly Mutant[] = [
  {
    name: "flow-executes-unapproved",
    file: `${agent}/run-single-agent-flow.ts`,
    find: "if (!isApproved || options.ael === undefined) return { output: made };",
    replace: "if (options.ael === undefined) return { output: made };",
    fails: [
      "graph-flow/a-plan-that-nobody-confirmed-is-not-begun",
      "graph-flow/a-plan-that-was-rejected-is-not-begun",
    ],
  },
  {
    name: "flow-blocks-nothing",
    file: `${agent}/execute-steps.ts`,
    find: "      blockBehind(flow, plan);\n",
    replace: "",
    fails: blocking,
  },
  {
    name: "end-of-execution-unsaid",
    file: `${agent}/execute-steps.ts`,
    find: '    tell("step_execution_completed", { ...execution, status: "completed" });\n',
    replace: "",
    fails: begun,
  },
  {
    name: "stages-of-steps-unsaid",
    file: "packages/host/src/graph/tell-change.ts",
    find: 'new Set(["plan", "step", "context"])',
    replace: 'new Set(["plan", "context"])',
    fails: executed,
  },
  {
    name: "parts-uncounted",
    file: "packages/host/src/graph/tell-change.ts",
    find: "node_delta: nodeDelta,",
    replace: "node_delta: Math.min(nodeDelta, 1),",
    fails: executed,
  },
  {
    name: "context-of-any-status",
    file: `${agent}/run-single-agent-flow.ts`,
    find: 'const invariants = INVARIANTS["single-agent"].filter(({ scope }) =>',
    replace:
      'const invariants = INVARIANTS["single-agent"].filter(({ id, scope }) => id !== "sa_context_must_be_active" &&',
    fails: ["graph-flow/a-context-that-is-only-a-draft-is-refused"],
  },
];
