/**
 * An account of a run's committed amounts, kept from its log without the runtime: no event exceeds
 * its budget. Amounts of handoffs are in it, and have accounts of their own.
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
          // A claim that replaces another has its reservation.
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
