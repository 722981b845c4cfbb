import type { Mutant } from "./mutant.ts";

/** Faults in who may ask for a plan, and what its approval is worth for its steps. */
export const planMutants: readonly Mutant[] = [
  {
    name: "plan-always-suffices",
    file: "packages/kernel/src/gate/find-plan-approval.ts",
    find: 'if (ask.plan !== "suffices") return undefined;',
    replace: "",
  },
  {
    name: "plan-never-suffices",
    file: "packages/kernel/src/gate/find-plan-approval.ts",
    find: 'if (ask.plan !== "suffices") return undefined;',
    replace: "return undefined;",
  },
  {
    name: "plan-suffices-for-anything",
    file: "packages/kernel/src/gate/find-plan-approval.ts",
    find: "given !== undefined && plan.content.steps[index]?.exact === given",
    replace: "given !== undefined",
  },
  {
    name: "plan-suffices-for-any-build",
    file: "packages/kernel/src/gate/find-plan-approval.ts",
    find: "isExact && isBuilt &&",
    replace: "isExact &&",
  },
  {
    name: "plan-way-back-not-named",
    file: "packages/kernel/src/tools/start-plan.ts",
    find: "{ build: tool.build, ...describeCompensation(tool) }",
    replace: "{ build: tool.build }",
  },
  {
    name: "plan-role-not-looked-at",
    file: "packages/protocol/src/approval/plan-approval.ts",
    find: "role === undefined || readTexts(roles).includes(role)",
    replace: "true",
  },
  {
    name: "plan-of-any-loop",
    file: "packages/kernel/src/tools/start-plan.ts",
    find: 'parsed.kind === "parsed" && compilePlan(parsed.plan).id === loop',
    replace: 'parsed.kind === "parsed" && compilePlan(parsed.plan).id !== ""',
  },
  {
    name: "rollback-without-its-question",
    file: "packages/protocol/src/plan/compile-plan.ts",
    find: "!isRollback ? [] : [askForRest(steps.length, placed.alone)]",
    replace: "isRollback ? [] : []",
  },
];

/** Faults in how a verifier checks it. */
export const plannedMutants: readonly Mutant[] = [
  {
    name: "taken-back-twice-unseen",
    file: "packages/protocol/src/verify/follow-takings.ts",
    find: "if (by !== own) return",
    replace: "if (by !== own && false) return",
  },
  {
    name: "taken-back-in-order-unseen",
    file: "packages/protocol/src/verify/follow-takings.ts",
    find: "const isLater = taken.turn >",
    replace: "const isLater = 0 * taken.turn >",
  },
  {
    name: "planned-by-the-excluded-not-found",
    file: "packages/protocol/src/approval/plan-approval.ts",
    find: ".filter((id) => !excluded.includes(id))",
    replace: "",
  },
  {
    name: "planned-arguments-not-compared",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: ' && step["exact"] === given',
    replace: "",
  },
  {
    name: "planned-build-not-compared",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'const codeFields = ["build", "compensation", "irreversible"];',
    replace: 'const codeFields = ["compensation", "irreversible"];',
  },
  {
    name: "planned-way-back-not-compared",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'const codeFields = ["build", "compensation", "irreversible"];',
    replace: 'const codeFields = ["build"];',
  },
  {
    name: "planned-build-always-needed",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'step["build"] !== undefined && ',
    replace: "",
  },
  {
    name: "plan-not-proposed-not-found",
    file: "packages/protocol/src/verify/follow-plans.ts",
    find: "(all > 0 || !needsPlan)",
    replace: "true",
  },
  {
    name: "planned-place-not-compared",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'step["path"] === path && ',
    replace: "",
  },
  {
    name: "planned-twice-not-found",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'if (isUsed) return "APPROVAL_REUSED";',
    replace: "",
  },
  {
    name: "planned-too-late-not-found",
    file: "packages/protocol/src/approval/plan-approval.ts",
    find: "Math.min(within, useWithinMs)",
    replace: "within",
  },
];
