import type { Mutant } from "./mutant.ts";

/** Faults in what is handed to another run, and in who starts it. */
export const handoffMutants: readonly Mutant[] = [
  {
    name: "handoff-keeps-its-level",
    file: "packages/kernel/src/tools/hand-off.ts",
    find: "(grant.depth ?? HANDOFF_DEPTH_DEFAULT) - 1",
    replace: "grant.depth ?? HANDOFF_DEPTH_DEFAULT",
  },
  {
    name: "slice-not-reserved",
    file: "packages/kernel/src/journal/cap-handoff.ts",
    find: "addAmounts(budget, { handoffs: 1 })",
    replace: "({ handoffs: 1 })",
  },
  {
    name: "result-of-any-claim",
    file: "packages/host/src/inbox/draft-result.ts",
    find: 'hash === body["claimHash"] && handoff',
    replace: "handoff",
  },
  {
    name: "waits-for-what-nobody-starts",
    file: "packages/host/src/advance.ts",
    find: "if (lack !== undefined) return leaveRun(held, lack, options);",
    replace: "",
  },
  {
    name: "cancel-waits-for-what-nobody-starts",
    file: "packages/host/src/turn/run-next-turn.ts",
    find: "const lack = block ?? (await findUnstarted(projection(), held));",
    replace: "const lack = block;",
  },
  {
    name: "period-not-reserved",
    file: "packages/kernel/src/journal/cap-handoff.ts",
    find: "capByPeriods(facts.grant, capsOf(step), { spending: spendingAt(step, at), at })",
    replace: "facts.grant.budget",
  },
  {
    name: "rules-begin-anew-in-a-handoff",
    file: "packages/kernel/src/turn/judge-actions.ts",
    find: "addAmounts(before, committed(spending(), own))",
    replace: "committed(spending(), own)",
  },
  {
    name: "unknown-sum-is-not-waited-for",
    file: "packages/kernel/src/journal/handed-runs.ts",
    find: "if (judged === undefined && judgeAll === undefined) return false;",
    replace: "return false;",
  },
  {
    name: "handoff-takes-no-place",
    file: "packages/kernel/src/journal/handed-runs.ts",
    find: "countFanout(content.grant, content.proof)",
    replace: "new Map()",
  },
];
