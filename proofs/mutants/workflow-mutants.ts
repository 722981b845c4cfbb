import type { Mutant } from "./mutant.ts";

const workflow = "packages/runtime/src/project/workflow";

/** Faults in what a workflow file comes to. */
export const workflowMutants: readonly Mutant[] = [
  {
    name: "stall-noticed-late",
    file: `${workflow}/compile-agent.ts`,
    find: "const SAME_ACTION_DEFAULT = 5;",
    replace: "const SAME_ACTION_DEFAULT = 6;",
    fails: ["workflows/agent-stalls"],
  },
  {
    name: "failures-noticed-late",
    file: `${workflow}/compile-agent.ts`,
    find: "const SAME_FAILURE_DEFAULT = 3;",
    replace: "const SAME_FAILURE_DEFAULT = 4;",
    fails: ["workflows/agent-fails-again", "workflows/agent-skips"],
  },
  {
    name: "text-in-another-form",
    file: `${workflow}/variables.ts`,
    find: "if (names.length === 0) return { const: text };",
    replace: 'if (names.length === 0) return "literal:" + text;',
    fails: ["workflows/written-text"],
  },
  {
    name: "fanout-in-order",
    file: `${workflow}/compile-each.ts`,
    find: "doing.plugin === FANOUT ? concurrency : 1",
    replace: "doing.plugin === FANOUT && concurrency === 0 ? concurrency : 1",
    fails: ["workflows/fanout"],
  },
  {
    name: "join-not-needed",
    file: `${workflow}/compile-parallel.ts`,
    find: "  if (join === undefined)\n",
    replace: '  if (join === undefined) return "all";\n  if (join === "")\n',
    fails: ["workflows/join-missing"],
  },
];
