import type { Mutant } from "./mutant.ts";

const file = "packages/protocol/src/verify/follow-groups.ts";

/** Faults in who holds effect groups to what was committed. */
export const groupMutants: readonly Mutant[] = [
  {
    name: "group-committed-in-part",
    file,
    find: "return isHeld && canonicalize(named ?? null) === canonicalize(held);",
    replace: "return isHeld && named !== held;",
    fails: [
      "receipt/group-committed-to-other-arguments",
      "receipt/group-committed-to-other-code",
      "receipt/group-committed-without-a-member",
    ],
  },
  {
    name: "group-lets-go-of-other-code",
    file,
    find: "member.isReleased || hasCodeOf(member.claim, event)",
    replace: "member.isReleased || hasCodeOf(event, event)",
    fails: ["receipt/group-member-let-go-with-other-code"],
  },
  {
    name: "group-is-anybodys-word",
    file,
    find: 'claim !== undefined && areSame(["role", "excluded"], claim, event)',
    replace: 'claim !== undefined && areSame(["role", "excluded"], claim, claim)',
    fails: [
      "receipt/group-member-let-go-to-anybody",
      "receipt/group-member-let-go-to-the-excluded",
      "receipt/group-part-asked-of-anybody",
    ],
  },
  {
    name: "question-keeps-nobody-from-answering",
    file: "packages/protocol/src/approval/approval.ts",
    find: "!readTexts(excluded).includes(actor.id) &&",
    replace: "readTexts(excluded) !== undefined &&",
    fails: ["receipt/group-part-answered-by-the-excluded"],
  },
  {
    name: "group-shown-is-not-compared",
    file: "packages/protocol/src/verify/same-claim.ts",
    find: '"irreversible", "group"],',
    replace: '"irreversible"],',
    fails: ["receipt/group-shown-otherwise"],
  },
  {
    name: "group-outcome-is-believed",
    file,
    find: "outcome === outcomeOf(group) &&",
    replace: "outcome !== undefined &&",
    fails: ["receipt/group-said-to-be-none"],
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
    find: "isKnown && isNext && isStopped",
    replace: "isKnown && isNext !== undefined && isStopped",
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
    fails: [
      "groups/cancelled-before",
      "groups/one-request",
      "groups/part-of-a-role",
      "groups/rejected",
    ],
  },
  {
    name: "group-lets-go-to-anybody",
    file: "packages/kernel/src/journal/hold-member.ts",
    find: "const facts = { ...passed.passed, ...hold.people() };",
    replace: "const facts = { ...passed.passed };",
    fails: ["groups/part-of-a-role"],
  },
  {
    name: "group-in-part-is-silent",
    file: "packages/kernel/src/flow/nodes/end-group.ts",
    find: "  if (isPart) {\n    const paused = await askWhatNow",
    replace: '  if (isPart && path === "") {\n    const paused = await askWhatNow',
    fails: ["groups/part-asks", "groups/part-of-a-role", "groups/part-unanswered"],
  },
  {
    name: "group-keeps-no-room",
    file: "packages/kernel/src/flow/nodes/find-undos.ts",
    find: "each: tools.map(",
    replace: "each: tools.slice(0, 0).map(",
    fails: ["groups/no-room-to-take-back"],
  },
  {
    name: "group-keeps-room-for-what-nobody-granted",
    file: "packages/kernel/src/flow/nodes/find-undos.ts",
    find: "grant?.tools.includes(name)",
    replace: "grant?.tools !== undefined",
    fails: ["groups/room-for-what-is-granted"],
  },
  {
    name: "group-takes-nothing-back",
    file: "packages/kernel/src/flow/nodes/end-group.ts",
    find: 'if (member.own !== "done" || undo === undefined) continue;',
    replace: 'if (member.own === "done" || undo === undefined) continue;',
    fails: ["groups/taken-back"],
  },
  {
    name: "compensation-by-any-flow",
    file: "packages/kernel/src/actions/compensation-facts.ts",
    find: "if (isRollback && takesBack?.run !== run) return",
    replace: "if (!isRollback || takesBack?.run !== run) return",
    fails: ["groups/undo-of-its-own"],
  },
];
