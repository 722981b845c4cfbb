import type { Mutant } from "./mutant.ts";

const file = "packages/protocol/src/verify/follow-groups.ts";

/** Faults in who holds effect groups to what was committed. */
export const groupMutants: readonly Mutant[] = [
  {
    name: "group-committed-in-part",
    file,
    find: "return isHeld && canonicalize(named ?? null) === canonicalize(keys);",
    replace: "return isHeld && named !== keys;",
    fails: ["receipt/group-committed-without-a-member"],
  },
  {
    name: "group-outcome-is-believed",
    file,
    find: '"] === outcomeOf(group) &&',
    replace: '"] !== undefined &&',
    fails: ["receipt/group-not-committed", "receipt/group-said-to-be-none"],
  },
  {
    name: "group-ends-are-believed",
    file,
    find: "=== canonicalize(members) &&",
    replace: "!== undefined &&",
    fails: ["receipt/group-end-of-a-member-forged"],
  },
  {
    name: "group-open-when-its-turn-ends",
    file,
    find: "if (closed === undefined) return false;",
    replace: "if (closed === undefined) return true;",
    fails: ["receipt/group-left-open"],
  },
  {
    name: "group-in-part-unasked",
    file,
    find: 'return outcome !== "part" || asked !== undefined || cutShort.has(reason);',
    replace: "return outcome !== asked || cutShort.has(reason);",
    fails: ["receipt/group-part-that-nobody-was-asked-about"],
  },
  {
    name: "group-taken-back-in-any-order",
    file,
    find: "isKnown && isLast && isStopped",
    replace: "isKnown && isLast !== undefined && isStopped",
    fails: ["receipt/group-taken-back-in-order"],
  },
  {
    name: "group-holds-what-acts-once",
    file,
    find: 'return action === "tool" && (effect === "idempotent" || effect === "reconcile");',
    replace: 'return action === "tool" && effect !== undefined;',
    fails: ["receipt/group-member-of-another-effect"],
  },
];

/** Faults in how a group is carried out. */
export const groupConductMutants: readonly Mutant[] = [
  {
    name: "group-asks-no-one",
    file: "packages/kernel/src/actions/commit-group.ts",
    find: 'if (judgement.kind === "asked") asked.push(judgement);',
    replace: 'if (judgement.kind === "asked") continue;',
    fails: ["groups/cancelled-before", "groups/one-request", "groups/rejected"],
  },
  {
    name: "group-in-part-is-silent",
    file: "packages/kernel/src/flow/nodes/end-group.ts",
    find: "  if (isPart) {\n    const paused = await askWhatNow",
    replace: '  if (isPart && path === "") {\n    const paused = await askWhatNow',
    fails: ["groups/part-asks", "groups/part-unanswered"],
  },
];
