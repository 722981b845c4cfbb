/** Faults in how flows are run and resumed. Some seed of the simulation must notice each. */
import type { GuardMutant } from "./guard-mutant.ts";

const kernel = "packages/kernel/src";

export const flowGuards: readonly GuardMutant[] = [
  {
    name: "winners-in-the-order-of-their-ends",
    from: 9,
    file: `${kernel}/flow/nodes/fan-out/join-items.ts`,
    find: "return [...outcomes.entries()].flatMap(([index, outcome]) => {",
    replace:
      "return [...outcomes.entries()].sort(([a], [b]) => winners.indexOf(a) - winners.indexOf(b)).flatMap(([index, outcome]) => {",
  },
  {
    name: "budget-unasked",
    file: `${kernel}/journal/claim-and-act.ts`,
    find: "if (room.excess !== undefined)",
    replace: "if (false)",
    from: 10,
  },
  {
    name: "rounds-past-their-maximum",
    file: `${kernel}/flow/nodes/run-repeat.ts`,
    find: "if (round === node.max)",
    replace: "if (round === node.max * 30)",
    from: 9,
  },
  {
    name: "settled-and-done-again",
    file: `${kernel}/journal/continue-claim.ts`,
    find: 'if (known.end?.type === "action.settled") return readSettled(known.end, step);',
    replace: 'if (known.end?.type === "action.settled") return claimAndAct(step);',
  },
  {
    name: "slice-unheld",
    file: `${kernel}/journal/cap-handoff.ts`,
    find: "reserve: () => addAmounts(budget, { handoffs: 1 }),",
    replace: "reserve: () => ({ handoffs: 1 }),",
  },
  {
    name: "withdrawn-decides-the-outcome",
    file: `${kernel}/receipt/seal-turn.ts`,
    find: 'event.type === "action.unknown" && event.content.status === "withdrawn"',
    replace: "false",
    from: 78,
  },
  {
    // A check that uses the runtime's own sum finds no fault: the account from the log does.
    name: "open-tool-calls-uncounted",
    file: "packages/protocol/src/budget/budget.ts",
    find: "return addAmounts(addAmounts(settled, assumed), others);",
    replace: "return addAmounts(addAmounts(settled, assumed), { ...others, toolCalls: 0 });",
    from: 62,
  },
];
