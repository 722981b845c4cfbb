import type { Mutant } from "./mutant.ts";

const undo = "packages/host/src/undo";

/** Faults in rollbacks. */
export const rollbackMutants: readonly Mutant[] = [
  {
    name: "rollback-skips-one",
    file: `${undo}/plan/prepare-rollback.ts`,
    find: "steps: steps.map((",
    replace: "steps: steps.slice(0, Math.max(1, steps.length - 1)).map((",
  },
  {
    name: "rollback-in-order",
    file: `${undo}/plan/list-rollback.ts`,
    find: "fillPage(wanted.toReversed(), ports)",
    replace: "fillPage(wanted, ports)",
  },
  {
    name: "rollback-ends-at-a-failure",
    file: "packages/protocol/src/plan/compile-plan.ts",
    find: 'isRollback ? { onError: "continue" } : { critical: false }',
    replace: "isRollback ? {} : { critical: false }",
  },
  {
    name: "rollback-asks-nobody",
    file: "packages/protocol/src/plan/compile-plan.ts",
    find: "!isRollback ? [] : [askForRest(steps.length, placed.alone)]",
    replace: "isRollback ? [] : []",
  },
  {
    name: "rollback-done-twice",
    file: `${undo}/find/rollback-chain.ts`,
    find: 'mayHaveActed: effect.end.kind !== "nothing" && !hasFailed(effect.end),',
    replace: "mayHaveActed: hasFailed(effect.end) && false,",
  },
  {
    name: "rollback-tries-again-what-may-have-acted",
    file: `${undo}/find/judge-effect.ts`,
    find: "if (effect.attempt !== undefined)",
    replace: "if (effect.attempt === null)",
  },
  {
    name: "rollback-hides-what-it-leaves",
    file: `${undo}/plan/list-rollback.ts`,
    find: "else left.push(judged.left);",
    replace: "else void judged.left;",
  },
  {
    name: "rollback-puts-files-back-again",
    file: `${undo}/run/restore-files.ts`,
    find: "if (back !== undefined) {",
    replace: "if (back === null) {",
  },
  {
    name: "rollback-by-any-plan",
    file: "packages/kernel/src/actions/compensation-facts.ts",
    find: "if (tool.takesBack !== true) return undefined;",
    replace: "if (tool.takesBack !== null) return undefined;",
  },
  {
    name: "trigger-asks-for-nothing",
    file: `${undo}/run/trigger-rollback.ts`,
    find: "rollbackOn.find((cause) => cause === stopped);",
    replace: 'rollbackOn.find((cause) => cause === "group");',
  },
  {
    name: "trigger-for-any-cause",
    file: `${undo}/run/trigger-rollback.ts`,
    find: "rollbackOn.find((cause) => cause === stopped);",
    replace: "rollbackOn.at(0);",
  },
  {
    name: "trigger-asks-again",
    file: `${undo}/run/trigger-rollback.ts`,
    find: "const [rollback] = await listRollbacks(run, stores);",
    replace:
      "const all = await listRollbacks(run, stores);\n" +
      "  const rollback = all.find(({ projection: of }) => (of?.stopped ?? null) === null);",
  },
  {
    name: "trigger-hides-its-cause",
    file: `${undo}/run/trigger-rollback.ts`,
    find: "source: `rollbackOn:",
    replace: "source: `rollback:",
  },
  {
    name: "trigger-hides-who-started",
    file: `${undo}/run/trigger-rollback.ts`,
    find: '...(startedBy?.kind === "person" ? { by: startedBy.id } : {}),',
    replace: '...(startedBy?.kind === "person" ? {} : {}),',
  },
  {
    name: "rollback-ends-at-a-refusal",
    file: "packages/kernel/src/flow/is-skippable-undo.ts",
    find: "denial !== undefined && OF_ONE.has(denial);",
    replace: 'denial === "";',
  },
];
