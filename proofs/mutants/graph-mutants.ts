import type { Mutant } from "./mutant.ts";

const protocol = "packages/protocol/src/graph";
const graph = "packages/folds/src/graph";

/** Faults in objects, lifecycles, rules and the fold of a graph. */
export const graphMutants: readonly Mutant[] = [
  {
    name: "plan-starts-unapproved",
    file: `${protocol}/lifecycles.ts`,
    find: '      { from: "draft", to: "proposed" },\n',
    replace:
      '      { from: "draft", to: "proposed" },\n      { from: "draft", to: "in_progress" },\n',
  },
  {
    name: "step-starts-before-its-dependencies",
    file: `${protocol}/lifecycles.ts`,
    find: '"context-active", "dependencies-completed"]',
    replace: '"context-active"]',
  },
  {
    name: "anybody-approves",
    file: `${graph}/decide-transition.ts`,
    find: ".capabilities?.includes(APPROVING) ?? false",
    replace: ".capabilities?.includes(APPROVING) ?? true",
  },
  {
    name: "circle-not-seen",
    file: `${graph}/step-order.ts`,
    find: "if (above.includes(needed)) return false;",
    replace: "",
  },
  {
    name: "segments-of-a-finished-trace-change",
    file: `${graph}/apply-change.ts`,
    find: "const refused = owner === undefined ? undefined : findFinal(owner);",
    replace: 'const refused = owner?.type !== "plan" ? undefined : findFinal(owner);',
  },
  {
    name: "place-not-hashed",
    file: `${graph}/graph-rows.ts`,
    find: "canonicalize({ type, owner, place,",
    replace: "canonicalize({ type, owner, place: place === null ? null : 0,",
  },
  {
    name: "short-id",
    file: `${protocol}/rule.ts`,
    find: '["uuid-v4", isId as',
    replace: '["uuid-v4", isFilled as',
  },
];
