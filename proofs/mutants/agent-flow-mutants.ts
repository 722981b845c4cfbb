import type { Mutant } from "./mutant.ts";
import { inLine } from "./planned-flow-mutants.ts";

const agent = "packages/mplp/src/flow";

const begun = [
  "agent-flows/flow-01",
  "agent-flows/flow-02",
  "agent-flows/flow-03",
  "agent-flows/flow-04",
  "agent-flows/flow-05",
  "agent-flows/sa-flow-01",
  "agent-flows/sa-flow-02",
  "agent-flows/side-fails",
];
const blocking = ["agent-flows/side-fails", "agent-flows/first-fails"];
const reasonless = ["agent-flows/flow-05-reason-empty", "agent-flows/flow-05-without-reason"];
const executed = [...begun, "agent-flows/first-fails"];

/** Faults in the execution of one agent's flow, and in its reports. */
export const agentFlowMutants: readonly Mutant[] = [
  {
    name: "flow-executes-unapproved",
    file: `${agent}/run-single-agent-flow.ts`,
    find: 'if (confirmed?.status !== "approved" || options.ael === undefined)',
    replace: "if (options.ael === undefined)",
    fails: ["agent-flows/confirm-missing", "agent-flows/confirm-rejected"],
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
    file: "packages/folds/src/graph/tell-change.ts",
    find: 'new Set(["plan", "step", "context"])',
    replace: 'new Set(["plan", "context"])',
    fails: [...executed, ...inLine, "planned-flows/step-fails"],
  },
  {
    name: "parts-uncounted",
    file: "packages/folds/src/graph/tell-change.ts",
    find: "node_delta: nodeDelta,",
    replace: "node_delta: Math.min(nodeDelta, 1),",
    fails: [...executed, ...inLine],
  },
  {
    name: "context-of-any-status",
    file: `${agent}/run-single-agent-flow.ts`,
    find: 'const invariants = [...INVARIANTS["single-agent"], ...own].filter(({ scope }) =>',
    replace:
      'const invariants = [...INVARIANTS["single-agent"], ...own].filter(({ id, scope }) => id !== "sa_context_must_be_active" &&',
    fails: ["agent-flows/context-draft"],
  },
  {
    name: "invariants-of-the-flow-unheld",
    file: `${agent}/run-single-agent-flow.ts`,
    find: '[...INVARIANTS["single-agent"], ...own]',
    replace: '[...INVARIANTS["single-agent"], ...own.slice(own.length)]',
    fails: [
      ...reasonless,
      "agent-flows/flow-02-too-small",
      "agent-flows/flow-03-step-without-role",
      "agent-flows/flow-03-too-small",
      "agent-flows/flow-05-too-small",
      "agent-flows/path-missing",
      "agent-flows/sa-flow-01-step-without-role",
      "agent-flows/sa-flow-02-too-small",
    ],
  },
  {
    name: "decision-unheld",
    file: `${agent}/run-single-agent-flow.ts`,
    find: "checkScopes({ ...made, confirm: confirmed } as JsonObject,",
    replace: "checkScopes({ ...made } as JsonObject,",
    fails: reasonless,
  },
  {
    name: "unreadable-invariant-borne",
    file: `${agent}/run-single-agent-flow.ts`,
    find: 'if (read.kind === "unreadable")',
    replace: 'if (read.kind === "unreadable" && read.id === "")',
    fails: ["agent-flows/rule-unknown"],
  },
  {
    name: "confirm-of-anything",
    file: `${agent}/run-single-agent-flow.ts`,
    find: "if (target !== plan)",
    replace: "if (target === undefined)",
    fails: ["agent-flows/flow-05-another-target"],
  },
  {
    name: "unfinished-action-done",
    file: "packages/mplp/src/actions/action-layer.ts",
    find: 'throw new HostError("ACTION_UNFINISHED",',
    replace: 'return toJson(why); throw new HostError("ACTION_UNFINISHED",',
    fails: [...blocking, "agent-flows/step-not-granted"],
  },
];
