import type { Mutant } from "./mutant.ts";

const workflow = "packages/workflow/src";

/** Faults in what a workflow file comes to. */
export const workflowMutants: readonly Mutant[] = [
  {
    name: "stall-noticed-late",
    file: `${workflow}/compile-agent.ts`,
    find: "const SAME_ACTION_DEFAULT = 5;",
    replace: "const SAME_ACTION_DEFAULT = 6;",
  },
  {
    name: "failures-noticed-late",
    file: `${workflow}/compile-agent.ts`,
    find: "const SAME_FAILURE_DEFAULT = 3;",
    replace: "const SAME_FAILURE_DEFAULT = 4;",
  },
  {
    name: "actions-do-not-wait",
    file: `${workflow}/compile-round.ts`,
    find: '{ concurrency: 1, scope: "shared" as const }',
    replace: "{ concurrency: 1 }",
  },
  {
    name: "agent-that-stopped-is-done",
    file: `${workflow}/compile-steps.ts`,
    find: "  if (!isAgent) return { before",
    replace: "  if (!isAgent || isAgent) return { before",
  },
  {
    name: "text-in-another-form",
    file: `${workflow}/variables.ts`,
    find: "if (names.length === 0) return { const: text };",
    replace: 'if (names.length === 0) return "literal:" + text;',
  },
  {
    name: "fanout-in-order",
    file: `${workflow}/compile-each.ts`,
    find: "doing.plugin === FANOUT ? concurrency : 1",
    replace: "doing.plugin === FANOUT && concurrency === 0 ? concurrency : 1",
  },
  {
    name: "join-not-needed",
    file: `${workflow}/compile-parallel.ts`,
    find: "  if (join === undefined)\n",
    replace: '  if (join === undefined) return "all";\n  if (join === "")\n',
  },
  {
    name: "list-of-parts-not-noted",
    file: `${workflow}/agent-notes.ts`,
    find: 'strategy === "task_list" ? { named:',
    replace: 'strategy === "none" ? { named:',
  },
  {
    name: "notes-of-the-caller-forgotten",
    file: "packages/kernel/src/notes/begin-notes.ts",
    find: "Object.keys(notesFrom).sort()",
    replace: "Object.keys(notesFrom).slice(4)",
  },
  {
    name: "read-answered-after-a-write",
    file: "packages/kernel/src/cache/has-acted-since.ts",
    find: "    if (hasBegun) return true;\n",
    replace: "",
  },
  {
    name: "cache-of-a-node-forgotten",
    file: "packages/kernel/src/cache/call-caches.ts",
    find: "isOfTurn ? frame.cache :",
    replace: "isOfTurn ? undefined :",
  },
  {
    name: "preview-of-a-node-forgotten",
    file: "packages/kernel/src/flow/nodes/run-call-node.ts",
    find: "most === undefined ?",
    replace: "most !== 0 ?",
  },
  {
    name: "preview-length-of-a-file-forgotten",
    file: `${workflow}/compile-round.ts`,
    find: "preview ?? OUTPUT_PREVIEW_BYTES_MAX",
    replace: "(preview && 0) || OUTPUT_PREVIEW_BYTES_MAX",
  },
  {
    name: "dead-keys-passed-over",
    file: `${workflow}/dead-keys.ts`,
    find: "others.some((other) => means(other) !== meaning)",
    replace: "others.length > 0 || means(path) !== meaning",
  },
  {
    name: "kept-content-cut",
    file: "packages/kernel/src/tools/store-content.ts",
    find: "describeContent(asked.content, asked.preview)",
    replace: "describeContent(asked.content, asked.preview - 1)",
  },
  {
    name: "goal-of-a-loop-forgotten",
    file: "packages/host/src/messages/bound-by-goal.ts",
    find: "bounds.goal !== undefined ||",
    replace: "bounds.goal === undefined ||",
  },
];
