import type { Mutant } from "./mutant.ts";

const file = "packages/protocol/src/verify/follow-groups.ts";

/** Faults in who holds effect groups to what was committed. */
export const groupMutants: readonly Mutant[] = [
  {
    name: "group-committed-in-part",
    file,
    find: "return isHeld && canonicalize(named ?? null) === canonicalize(held);",
    replace: "return isHeld && named !== held;",
  },
  {
    name: "group-lets-go-of-other-code",
    file,
    find: "member.isReleased || hasCodeOf(member.claim, event)",
    replace: "member.isReleased || hasCodeOf(event, event)",
  },
  {
    name: "group-is-anybodys-word",
    file,
    find: 'claim !== undefined && areSame(["role", "excluded"], claim, event)',
    replace: 'claim !== undefined && areSame(["role", "excluded"], claim, claim)',
  },
  {
    name: "question-keeps-nobody-from-answering",
    file: "packages/protocol/src/approval/approval.ts",
    find: "!readTexts(excluded).includes(actor.id) &&",
    replace: "readTexts(excluded) !== undefined &&",
  },
  {
    name: "group-shown-is-not-compared",
    file: "packages/protocol/src/verify/same-claim.ts",
    find: '"irreversible", "group"],',
    replace: '"irreversible"],',
  },
  {
    name: "group-outcome-is-believed",
    file,
    find: "outcome === outcomeOf(group) &&",
    replace: "outcome !== undefined &&",
  },
  {
    name: "group-ends-are-believed",
    file,
    find: "=== canonicalize(members) &&",
    replace: "!== undefined &&",
  },
  {
    name: "group-open-when-its-turn-ends",
    file,
    find: "if (closed === undefined) return false;",
    replace: "if (closed === undefined) return true;",
  },
  {
    name: "group-in-part-unasked",
    file,
    find: 'return outcome !== "part" || asked !== undefined || cutShort.has(reason);',
    replace: "return outcome !== asked || cutShort.has(reason);",
  },
  {
    name: "group-taken-back-in-any-order",
    file,
    find: "isKnown && isNext && isStopped",
    replace: "isKnown && isNext !== undefined && isStopped",
  },
  {
    name: "group-holds-what-acts-once",
    file,
    find: 'return action === "tool" && (effect === "idempotent" || effect === "reconcile");',
    replace: 'return action === "tool" && effect !== undefined;',
  },
];

/** Faults in how a group is carried out. */
export const groupConductMutants: readonly Mutant[] = [
  {
    name: "group-asks-no-one",
    file: "packages/kernel/src/actions/commit-group.ts",
    find: 'if (judgement.kind === "asked") asked.push(judgement);',
    replace: 'if (judgement.kind === "asked") continue;',
  },
  {
    name: "group-lets-go-to-anybody",
    file: "packages/kernel/src/journal/hold-member.ts",
    find: "const facts = { ...passed.passed, ...hold.people() };",
    replace: "const facts = { ...passed.passed };",
  },
  {
    name: "group-in-part-is-silent",
    file: "packages/kernel/src/flow/nodes/end-group.ts",
    find: "  if (isPart) {\n    const paused = await askWhatNow",
    replace: '  if (isPart && path === "") {\n    const paused = await askWhatNow',
  },
  {
    name: "group-keeps-no-room",
    file: "packages/kernel/src/flow/nodes/find-undos.ts",
    find: "each: tools.map(",
    replace: "each: tools.slice(0, 0).map(",
  },
  {
    name: "group-keeps-room-for-what-nobody-granted",
    file: "packages/kernel/src/flow/nodes/find-undos.ts",
    find: "grant?.tools.includes(name)",
    replace: "grant?.tools !== undefined",
  },
  {
    name: "group-takes-nothing-back",
    file: "packages/kernel/src/flow/nodes/end-group.ts",
    find: 'if (member.own !== "done" || undo === undefined) continue;',
    replace: 'if (member.own === "done" || undo === undefined) continue;',
  },
  {
    name: "compensation-by-any-flow",
    file: "packages/kernel/src/actions/compensation-facts.ts",
    find: "if (isRollback && takesBack?.run !== run) return",
    replace: "if (!isRollback || takesBack?.run !== run) return",
  },
];
