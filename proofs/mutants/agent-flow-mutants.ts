import type { Mutant } from "./mutant.ts";

const agent = "packages/mplp/src/flow";

/** Faults in the execution of one agent's flow, and in its reports. */
export const agentFlowMutants: readonly Mutant[] = [
  {
    name: "flow-executes-unapproved",
    file: `${agent}/run-single-agent-flow.ts`,
    find: 'if (confirmed?.status !== "approved" || options.ael === undefined)',
    replace: "if (options.ael === undefined)",
  },
  {
    name: "flow-blocks-nothing",
    file: `${agent}/execute-steps.ts`,
    find: "      blockBehind(flow, plan);\n",
    replace: "",
  },
  {
    name: "end-of-execution-unsaid",
    file: `${agent}/execute-steps.ts`,
    find: '    tell("step_execution_completed", { ...execution, status: "completed" });\n',
    replace: "",
  },
  {
    name: "stages-of-steps-unsaid",
    file: "packages/folds/src/graph/tell-change.ts",
    find: 'new Set(["plan", "step", "context"])',
    replace: 'new Set(["plan", "context"])',
  },
  {
    name: "parts-uncounted",
    file: "packages/folds/src/graph/tell-change.ts",
    find: "node_delta: nodeDelta,",
    replace: "node_delta: Math.min(nodeDelta, 1),",
  },
  {
    name: "context-of-any-status",
    file: `${agent}/run-single-agent-flow.ts`,
    find: 'const invariants = [...INVARIANTS["single-agent"], ...own].filter(({ scope }) =>',
    replace:
      'const invariants = [...INVARIANTS["single-agent"], ...own].filter(({ id, scope }) => id !== "sa_context_must_be_active" &&',
  },
  {
    name: "invariants-of-the-flow-unheld",
    file: `${agent}/run-single-agent-flow.ts`,
    find: '[...INVARIANTS["single-agent"], ...own]',
    replace: '[...INVARIANTS["single-agent"], ...own.slice(own.length)]',
  },
  {
    name: "decision-unheld",
    file: `${agent}/run-single-agent-flow.ts`,
    find: "checkScopes({ ...made, confirm: confirmed } as JsonObject,",
    replace: "checkScopes({ ...made } as JsonObject,",
  },
  {
    name: "unreadable-invariant-borne",
    file: `${agent}/run-single-agent-flow.ts`,
    find: 'if (read.kind === "unreadable")',
    replace: 'if (read.kind === "unreadable" && read.id === "")',
  },
  {
    name: "confirm-of-anything",
    file: `${agent}/run-single-agent-flow.ts`,
    find: "if (target !== plan)",
    replace: "if (target === undefined)",
  },
  {
    name: "unfinished-action-done",
    file: "packages/mplp/src/actions/action-layer.ts",
    find: 'throw new HostError("ACTION_UNFINISHED",',
    replace: 'return toJson(why); throw new HostError("ACTION_UNFINISHED",',
  },
];
