/**
 * An account of what a run has committed, kept from its log without the runtime: its budget is
 * passed at no event. What it has handed on is in it, and has an account of its own.
 */
import { type Amounts, type LoopEvent, listUnits } from "@turnseal/protocol";
import type { Promises } from "../simulate/fault.ts";

export interface BudgetWatch {
  onEvent(event: LoopEvent): void;
}

export function watchBudgets(promises: Promises): BudgetWatch {
  const total = new Map<string, number>();
  let budget: Amounts = {};
  const add = (amounts: Amounts, sign: 1 | -1): void => {
    for (const unit of listUnits(amounts))
      total.set(unit, (total.get(unit) ?? 0) + sign * (amounts[unit] ?? 0));
  };
  return {
    onEvent: (event) => {
      switch (event.type) {
        case "run.started":
          budget = event.content.spec.grant.budget;
          return;
        case "action.claimed": {
          const { content } = event;
          // A claim in place of another has the reservation of that one.
          if (content.action !== "tool" || content.supersedes === undefined)
            add(content.reserve, 1);
          break;
        }
        case "action.settled":
          add(event.content.reserve, -1);
          add(event.content.spent, 1);
          break;
        default:
          return;
      }
      const over = listUnits(budget).find((unit) => (total.get(unit) ?? 0) > (budget[unit] ?? 0));
      promises.hold(over === undefined, `the budget for ${over} is passed in the log`);
    },
  };
}
