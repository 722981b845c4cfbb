import type { Mutant } from "./mutant.ts";

/** Faults in the decisions of rules, and in requests to people. */
export const ruleMutants: readonly Mutant[] = [
  {
    name: "never-asks",
    file: "packages/kernel/src/policy/decide.ts",
    find: "if (asked !== undefined)\n    return { onReject, ...ask(asked, digest, listAsking(policy.asks, facts)) };",
    replace: "",
  },
  {
    name: "judged-before-the-claim",
    file: "packages/kernel/src/journal/claim-and-act.ts",
    find: "const passage = judgeClaim(entered, superseded?.claim);",
    replace:
      "const passage = judgeClaim(entered, superseded?.claim);\n    await Promise.resolve();",
  },
  {
    name: "deny-does-not-win",
    file: "packages/kernel/src/policy/decide.ts",
    find: "if (denied !== undefined) {",
    replace: "if (denied !== undefined && findMatch(policy.allows, facts, false) === undefined) {",
  },
  {
    name: "effects-allowed-by-default",
    file: "packages/kernel/src/policy/decide.ts",
    find: 'if (facts.tool.effect === "read")',
    replace: "if (facts.tool.effect !== undefined)",
  },
  {
    name: "todays-denials-ignored",
    file: "packages/kernel/src/turn/judge-actions.ts",
    find: 'now.kind === "deny" ? now : then',
    replace: "then",
  },
  {
    name: "role-not-checked",
    file: "packages/protocol/src/approval/approval.ts",
    find: 'if (role !== undefined && !by.roles.includes(role)) return "role-missing";',
    replace: "",
  },
  {
    name: "decided-at-any-time",
    file: "packages/protocol/src/approval/approval.ts",
    find: ' || receivedAt > decideBy) return "too-late"',
    replace: ') return "too-late"',
  },
  {
    name: "used-at-any-time",
    file: "packages/kernel/src/journal/push-claim.ts",
    find: "approved === undefined || nowMs <= approved.useByMs",
    replace: "approved === undefined || nowMs >= 0",
  },
  {
    name: "one-approver-is-enough",
    file: "packages/protocol/src/approval/approval.ts",
    find: "missingApprovals(terms.approvers, approvedBy.keys()) === 0",
    replace: "approvedBy.size >= 1",
  },
  {
    name: "approval-of-any-action",
    file: "packages/protocol/src/verify/same-claim.ts",
    find: '["key", "digest", "build", "compensation", "irreversible", "group"]',
    replace: '["key", "build", "compensation", "irreversible", "group"]',
  },
  {
    name: "approval-of-any-cost",
    file: "packages/protocol/src/verify/same-claim.ts",
    find: "(reserve[unit] ?? 0) <= (shown[unit] ?? 0)",
    replace: "(reserve[unit] ?? 0) >= 0",
  },
  {
    name: "approval-used-again",
    file: "packages/protocol/src/verify/follow-approvals.ts",
    find: 'if (request.isUsed) return "APPROVAL_REUSED";',
    replace: "",
  },
  {
    name: "rejection-only-told",
    file: "packages/kernel/src/gate/gate.ts",
    find: 'isTold ? DECLINED : "approval-rejected"',
    replace: 'isTold ? "approval-declined" : "approval-declined"',
  },
  {
    name: "edit-not-asked-again",
    file: "packages/kernel/src/gate/gate.ts",
    find: "edited === undefined && !step",
    replace: "!step",
  },
  {
    name: "answer-not-validated",
    file: "packages/host/src/inbox/draft-decision.ts",
    find: "checked.validateInput(value) : checked.validateOutput(value)",
    replace: "checked.validateInput(value) : { problems: [] }",
  },
];
