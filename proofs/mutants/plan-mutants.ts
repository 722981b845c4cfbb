import type { Mutant } from "./mutant.ts";

/** Faults in who may ask for a plan, and what its approval is worth for its steps. */
export const planMutants: readonly Mutant[] = [
  {
    name: "plan-always-suffices",
    file: "packages/kernel/src/gate/find-plan-approval.ts",
    find: 'if (ask.plan !== "suffices") return undefined;',
    replace: "",
    fails: ["plans/asked-without-the-word"],
  },
  {
    name: "plan-never-suffices",
    file: "packages/kernel/src/gate/find-plan-approval.ts",
    find: 'if (ask.plan !== "suffices") return undefined;',
    replace: "return undefined;",
    fails: ["plans/suffices"],
  },
  {
    name: "plan-suffices-for-anything",
    file: "packages/kernel/src/gate/find-plan-approval.ts",
    find: "given !== undefined && plan.content.steps[index]?.exact === given",
    replace: "given !== undefined",
    fails: ["plans/suffices"],
  },
  {
    name: "plan-suffices-for-any-build",
    file: "packages/kernel/src/gate/find-plan-approval.ts",
    find: "isExact && isBuilt &&",
    replace: "isExact &&",
    fails: ["plans/asked-of-another-build", "plans/asked-of-another-way-back"],
  },
  {
    name: "plan-way-back-not-named",
    file: "packages/kernel/src/tools/start-plan.ts",
    find: "{ build: tool.build, ...describeCompensation(tool) }",
    replace: "{ build: tool.build }",
    fails: ["plans/asked-of-another-way-back"],
  },
  {
    name: "plan-role-not-looked-at",
    file: "packages/protocol/src/approval/plan-approval.ts",
    find: "role === undefined || readTexts(roles).includes(role)",
    replace: "true",
    fails: ["plans/role-missing"],
  },
  {
    name: "plan-of-any-loop",
    file: "packages/kernel/src/tools/start-plan.ts",
    find: 'parsed.kind === "parsed" && compilePlan(parsed.plan).id === loop',
    replace: 'parsed.kind === "parsed" && compilePlan(parsed.plan).id !== ""',
    fails: ["plans/foreign"],
  },
  {
    name: "rollback-without-its-question",
    file: "packages/protocol/src/plan/compile-plan.ts",
    find: "!isRollback ? [] : [askForRest(steps.length, placed.alone)]",
    replace: "isRollback ? [] : []",
    fails: ["plans/rollback-asks-for-the-rest"],
  },
];

/** Faults in how a verifier checks it. */
export const plannedMutants: readonly Mutant[] = [
  {
    name: "taken-back-twice-unseen",
    file: "packages/protocol/src/verify/follow-takings.ts",
    find: "if (by !== own) return",
    replace: "if (by !== own && false) return",
    fails: ["receipt-governed/taken-back-twice"],
  },
  {
    name: "taken-back-in-order-unseen",
    file: "packages/protocol/src/verify/follow-takings.ts",
    find: "const isLater = taken.turn >",
    replace: "const isLater = 0 * taken.turn >",
    fails: ["receipt-governed/taken-back-in-order"],
  },
  {
    name: "planned-by-the-excluded-not-found",
    file: "packages/protocol/src/approval/plan-approval.ts",
    find: ".filter((id) => !excluded.includes(id))",
    replace: "",
    fails: ["receipt-governed/planned-by-the-excluded"],
  },
  {
    name: "planned-arguments-not-compared",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: ' && step["exact"] === given',
    replace: "",
    fails: ["receipt-governed/planned-with-other-arguments"],
  },
  {
    name: "planned-build-not-compared",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'const codeFields = ["build", "compensation", "irreversible"];',
    replace: 'const codeFields = ["compensation", "irreversible"];',
    fails: ["receipt-governed/planned-by-another-build"],
  },
  {
    name: "planned-way-back-not-compared",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'const codeFields = ["build", "compensation", "irreversible"];',
    replace: 'const codeFields = ["build"];',
    fails: [
      "receipt-governed/planned-with-another-way-back",
      "receipt-governed/planned-with-no-way-back",
      "receipt-governed/planned-as-final",
    ],
  },
  {
    name: "planned-build-always-needed",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'step["build"] !== undefined && ',
    replace: "",
    fails: ["receipt-governed/plan-without-builds"],
  },
  {
    name: "plan-not-proposed-not-found",
    file: "packages/protocol/src/verify/follow-plans.ts",
    find: "(all > 0 || !needsPlan)",
    replace: "true",
    fails: ["receipt-governed/plan-not-proposed"],
  },
  {
    name: "planned-place-not-compared",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'step["path"] === path && ',
    replace: "",
    fails: ["receipt-governed/planned-elsewhere"],
  },
  {
    name: "planned-twice-not-found",
    file: "packages/protocol/src/verify/follow-planned.ts",
    find: 'if (isUsed) return "APPROVAL_REUSED";',
    replace: "",
    fails: ["receipt-governed/planned-twice"],
  },
  {
    name: "planned-too-late-not-found",
    file: "packages/protocol/src/approval/plan-approval.ts",
    find: "Math.min(within, useWithinMs)",
    replace: "within",
    fails: ["receipt-governed/planned-too-late"],
  },
];
