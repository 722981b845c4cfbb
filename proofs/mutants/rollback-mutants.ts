import type { Mutant } from "./mutant.ts";

const undo = "packages/host/src/undo";

/** Cases whose rollback takes back more than one action. */
const SEVERAL = [
  ...["rollbacks/third-of-five", "rollbacks/files-of-five", "rollbacks/third-abandoned"],
  ...["rollbacks/compensation-fails", "rollbacks/files-again", "rollbacks/files-of-the-rest"],
  ...["rollbacks/one-denied", "triggers/asked"],
];
/** Cases in which one of them fails. */
const FAILING = [
  ...["rollbacks/compensation-fails", "rollbacks/files-again", "rollbacks/files-of-the-rest"],
];

/** Faults in rollbacks. */
export const rollbackMutants: readonly Mutant[] = [
  {
    name: "rollback-skips-one",
    file: `${undo}/plan/prepare-rollback.ts`,
    find: "steps: steps.map((",
    replace: "steps: steps.slice(0, Math.max(1, steps.length - 1)).map((",
    fails: [...SEVERAL, "triggers/crash", "triggers/rejected"],
  },
  {
    name: "rollback-in-order",
    file: `${undo}/plan/list-rollback.ts`,
    find: "fillPage(wanted.toReversed(), ports)",
    replace: "fillPage(wanted, ports)",
    fails: [...SEVERAL, "rollbacks/left", "triggers/other-cause", "triggers/rejected"],
  },
  {
    name: "rollback-ends-at-a-failure",
    file: "packages/protocol/src/plan/compile-plan.ts",
    find: 'isRollback ? { onError: "continue" } : { critical: false }',
    replace: "isRollback ? {} : { critical: false }",
    fails: [...FAILING, "rollbacks/one-denied"],
  },
  {
    name: "rollback-asks-nobody",
    file: "packages/protocol/src/plan/compile-plan.ts",
    find: "!isRollback ? [] : [askForRest(steps.length, placed.alone)]",
    replace: "isRollback ? [] : []",
    fails: [...FAILING, "rollbacks/one-denied"],
  },
  {
    name: "rollback-done-twice",
    file: `${undo}/find/rollback-chain.ts`,
    find: 'mayHaveActed: effect.end.kind !== "nothing" && !hasFailed(effect.end),',
    replace: "mayHaveActed: hasFailed(effect.end) && false,",
    fails: [
      ...["rollbacks/third-of-five", "rollbacks/compensation-abandoned", ...FAILING],
      ...["triggers/asked", "triggers/unknown"],
    ],
  },
  {
    name: "rollback-tries-again-what-may-have-acted",
    file: `${undo}/find/judge-effect.ts`,
    find: "if (effect.attempt !== undefined)",
    replace: "if (effect.attempt === null)",
    fails: ["rollbacks/compensation-abandoned"],
  },
  {
    name: "rollback-hides-what-it-leaves",
    file: `${undo}/plan/list-rollback.ts`,
    find: "else left.push(judged.left);",
    replace: "else void judged.left;",
    fails: [
      ...["rollbacks/compensation-abandoned", "rollbacks/left", "rollbacks/third-abandoned"],
      "triggers/unknown",
    ],
  },
  {
    name: "rollback-puts-files-back-again",
    file: `${undo}/run/restore-files.ts`,
    find: "if (back !== undefined) {",
    replace: "if (back === null) {",
    fails: ["rollbacks/files-again", "rollbacks/files-of-the-rest"],
  },
  {
    name: "rollback-by-any-plan",
    file: "packages/kernel/src/actions/compensation-facts.ts",
    find: "if (tool.takesBack !== true) return undefined;",
    replace: "if (tool.takesBack !== null) return undefined;",
    fails: ["rollbacks/foreign-plan"],
  },
  {
    name: "trigger-asks-for-nothing",
    file: `${undo}/run/trigger-rollback.ts`,
    find: "rollbackOn.find((cause) => cause === stopped);",
    replace: 'rollbackOn.find((cause) => cause === "group");',
    fails: ["triggers/asked", "triggers/crash", "triggers/rejected", "triggers/unknown"],
  },
  {
    name: "trigger-for-any-cause",
    file: `${undo}/run/trigger-rollback.ts`,
    find: "rollbackOn.find((cause) => cause === stopped);",
    replace: "rollbackOn.at(0);",
    fails: ["triggers/other-cause"],
  },
  {
    name: "trigger-asks-again",
    file: `${undo}/run/trigger-rollback.ts`,
    find: "const [rollback] = await listRollbacks(run, stores);",
    replace:
      "const all = await listRollbacks(run, stores);\n" +
      "  const rollback = all.find(({ projection: of }) => (of?.stopped ?? null) === null);",
    fails: ["triggers/rejected"],
  },
  {
    name: "trigger-hides-its-cause",
    file: `${undo}/run/trigger-rollback.ts`,
    find: "source: `rollbackOn:",
    replace: "source: `rollback:",
    fails: ["triggers/asked", "triggers/crash"],
  },
  {
    name: "trigger-hides-who-started",
    file: `${undo}/run/trigger-rollback.ts`,
    find: '...(startedBy?.kind === "person" ? { by: startedBy.id } : {}),',
    replace: '...(startedBy?.kind === "person" ? {} : {}),',
    fails: ["triggers/asked"],
  },
  {
    name: "rollback-ends-at-a-refusal",
    file: "packages/kernel/src/flow/is-skippable-undo.ts",
    find: "denial !== undefined && OF_ONE.has(denial);",
    replace: 'denial === "";',
    fails: ["rollbacks/one-denied"],
  },
];
