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
    fails: [
      "graph-changes/a-plan-that-nobody-approved-does-not-start",
      "agent-flows/plan-in-progress",
      "graph-transition/plan-from-draft-to-in-progress",
    ],
  },
  {
    name: "step-starts-before-its-dependencies",
    file: `${protocol}/lifecycles.ts`,
    find: '"context-active", "dependencies-completed"]',
    replace: '"context-active"]',
    fails: [
      "graph-changes/a-step-does-not-start-after-what-it-depends-on-was-skipped",
      "graph-changes/a-step-does-not-start-before-what-it-depends-on",
      "graph-changes/a-step-does-not-start-while-what-it-depends-on-runs",
    ],
  },
  {
    name: "anybody-approves",
    file: `${graph}/decide-transition.ts`,
    find: ".capabilities?.includes(APPROVING) ?? false",
    replace: ".capabilities?.includes(APPROVING) ?? true",
    fails: ["graph-changes/an-approval-by-a-role-without-capabilities"],
  },
  {
    name: "circle-not-seen",
    file: `${graph}/step-order.ts`,
    find: "if (above.includes(needed)) return false;",
    replace: "",
    fails: [
      "graph-changes/a-dependency-on-a-step-that-stands-later",
      "graph-changes/a-dependency-that-closes-a-circle-of-ten",
      "graph-changes/a-dependency-that-closes-a-circle-of-two",
      "graph-changes/dependencies-turned-round-one-by-one",
      "graph-changes/of-two-dependencies-one-closes-a-circle",
    ],
  },
  {
    name: "segments-of-a-finished-trace-change",
    file: `${graph}/apply-change.ts`,
    find: "const refused = owner === undefined ? undefined : findFinal(owner);",
    replace: 'const refused = owner?.type !== "plan" ? undefined : findFinal(owner);',
    fails: ["graph-changes/a-trace-that-is-over-stays-as-it-is"],
  },
  {
    name: "place-not-hashed",
    file: `${graph}/graph-rows.ts`,
    find: "canonicalize({ type, owner, place,",
    replace: "canonicalize({ type, owner, place: place === null ? null : 0,",
    fails: [
      "graph-changes/the-hash-after-a-way-there-and-back",
      "graph-changes/the-hash-of-another-order-of-steps",
      "graph-changes/the-hash-of-nodes",
      "graph-changes/the-hash-of-other-words",
      "graph-changes/the-hash-of-the-same-nodes-in-another-order",
    ],
  },
  {
    name: "short-id",
    file: `${protocol}/rule.ts`,
    find: '["uuid-v4", isId as',
    replace: '["uuid-v4", isFilled as',
    fails: [
      "graph-invariants/a-collab-whose-id-is-none",
      "graph-invariants/a-context-whose-id-is-none",
      "graph-invariants/a-step-whose-id-is-none",
      "graph-invariants/an-event-of-graph-update-with-a-wrong-graph-id",
      "graph-invariants/an-event-of-pipeline-stage-with-a-wrong-pipeline-id",
      "graph-invariants/an-event-of-runtime-execution-with-a-wrong-execution-id",
      "graph-invariants/an-event-whose-id-is-none",
      "graph-rule/a-star-alone-judges-the-items",
      "graph-rule/uuid-v4-does-not-hold-of-00000abc-0000-1000-8000-000000000000",
      "graph-rule/uuid-v4-does-not-hold-of-00000abc-0000-4000-7000-000000000000",
      "graph-rule/uuid-v4-does-not-hold-of-00000abc-0000-4000-8000-00000000000",
      "graph-rule/uuid-v4-does-not-hold-of-00000abc-0000-4000-8000-000000000000",
      "graph-rule/uuid-v4-does-not-hold-of-00000abc-0000-4000-8000-0000000000000",
    ],
  },
];
