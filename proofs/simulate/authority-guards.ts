/** Faults in permissions and approvals. */
import type { GuardMutant } from "./guard-mutant.ts";

const kernel = "packages/kernel/src";
const approval = "packages/protocol/src/approval/approval.ts";
const handOff = "packages/kernel/src/tools/hand-off.ts";

const checkHandoffs = "packages/protocol/src/verify/check-handoffs.ts";

export const authorityGuards: readonly GuardMutant[] = [
  {
    name: "whoever-had-a-hand-in-it-approves",
    file: approval,
    find: 'if (choice === "approve" && excluded.includes(by.id)) return "person-excluded";',
    replace: "",
  },
  {
    name: "child-not-held-to-its-slice",
    file: checkHandoffs,
    find: 'compareGrants(grant, slice).kind === "within";',
    replace: 'compareGrants(grant, slice).kind !== "";',
  },
  {
    name: "spending-of-a-child-believed",
    file: checkHandoffs,
    find: "return isSame(spent, toAmounts(last))",
    replace: "return isSame(spent, spent) && toAmounts(last)",
  },
  {
    name: "child-may-be-missing",
    file: checkHandoffs,
    find: "return handoff.isSealed ?",
    replace: "return false ?",
  },
  {
    name: "cap-unchecked",
    file: `${kernel}/journal/find-room.ts`,
    find: "excess === undefined ? { reserve",
    replace: "true ? { reserve",
  },
  {
    name: "grant-ignored",
    file: "packages/kernel/src/actions/admit-tool.ts",
    find: 'admission.kind === "admitted" ? succeed(admission)',
    replace: "true ? succeed({ terms: [], approvals: [], ...admission })",
  },
  {
    name: "gate-skipped",
    file: `${kernel}/journal/turn-journal.ts`,
    find: "await passGate(asking)",
    replace: '{ kind: "passed", step: asking, facts: {} } as Awaited<ReturnType<typeof passGate>>',
  },
  {
    name: "order-of-acting-ignored",
    file: `${kernel}/gate/gate.ts`,
    find: "edited === undefined && !step.frame.branch.isBehind()",
    replace: "edited === undefined",
  },
  {
    name: "use-by-unchecked",
    file: `${kernel}/journal/push-claim.ts`,
    find: "approved === undefined || nowMs <= approved.useByMs",
    replace: "true",
    from: 74,
  },
  {
    name: "approved-is-not-judged-again",
    file: `${kernel}/gate/gate.ts`,
    find: 'if (judgement.kind === "denied") return stop(judgement.refusal);\n  // All',
    replace:
      'if (judgement.kind === "denied" && !approved) return stop(judgement.refusal);\n  // All',
    from: 169,
  },
  {
    name: "judged-before-the-claim",
    file: `${kernel}/journal/claim-and-act.ts`,
    find: "const passage = judgeClaim(entered, superseded?.claim);",
    replace:
      "const passage = judgeClaim(entered, superseded?.claim);\n    await Promise.resolve();",
    from: 175,
  },
  {
    name: "grant-runs-out-unseen",
    file: `${kernel}/gate/judge-step.ts`,
    find: '...endOf(step.frame.grant?.expiresAt, "grant-expired"),',
    replace: "",
  },
  {
    name: "todays-denials-ignored",
    file: "packages/kernel/src/turn/judge-actions.ts",
    find: 'now.kind === "deny" ? now : then',
    replace: "then",
  },
  {
    name: "role-unchecked",
    file: approval,
    find: 'if (role !== undefined && !by.roles.includes(role)) return "role-missing";',
    replace: "",
  },
  {
    name: "decide-by-unchecked",
    file: approval,
    find: "|| receivedAt > decideBy) return",
    replace: ") return",
  },
  {
    name: "one-approver-is-enough",
    file: approval,
    find: "missingApprovals(terms.approvers, approvedBy.keys()) === 0",
    replace: "approvedBy.size >= 1",
  },
  {
    name: "any-request-will-do",
    file: "packages/host/src/inbox/draft-decision.ts",
    find: "request.kind === kind && request.hash === hash",
    replace: "request.kind === kind",
  },
  {
    name: "edit-not-checked",
    file: "packages/host/src/inbox/draft-decision.ts",
    find: 'choice === "edit" && findMisfit(registry, request, edited) !== undefined',
    replace: "false",
  },
  {
    name: "answer-not-checked",
    file: "packages/host/src/inbox/draft-decision.ts",
    find: "findAnswerMisfit(registry, { ...request, asked }, answer) !== undefined",
    replace: "false",
  },
  {
    name: "step-has-its-callers-grant",
    file: "packages/kernel/src/call/run-call.ts",
    find: "narrowed?.grant ?? request.grant",
    replace: "request.grant",
  },
  {
    name: "handed-all-of-the-tools",
    file: handOff,
    find: "const cut = attenuate(grant, {",
    replace:
      "const cut = attenuate(grant, { depth, ...Object(wanted), tools: grant.tools }); void ({",
  },
  {
    name: "slice-not-reserved",
    file: "packages/kernel/src/journal/cap-handoff.ts",
    find: "addAmounts(budget, { handoffs: 1 })",
    replace: "({ handoffs: 1 })",
  },
  {
    name: "period-not-reserved",
    file: "packages/kernel/src/journal/cap-handoff.ts",
    find: "capByPeriods(facts.grant, capsOf(step), { spending: spendingAt(step, at), at })",
    replace: "facts.grant.budget",
  },
  {
    name: "rules-begin-anew-below",
    file: "packages/kernel/src/turn/judge-actions.ts",
    find: "addAmounts(before, committed(spending(), own))",
    replace: "committed(spending(), own)",
  },
  {
    name: "depth-not-counted",
    file: handOff,
    find: "HANDOFF_DEPTH_DEFAULT) - 1;",
    replace: "HANDOFF_DEPTH_DEFAULT);",
  },
];
