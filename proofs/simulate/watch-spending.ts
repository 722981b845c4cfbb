/** An account of the cents that a run has committed, kept from its log without the runtime. */
import type { Amounts, LoopEvent } from "@turnseal/protocol";

export interface SpendingWatch {
  onEvent(event: LoopEvent): void;
  /** Everything that is spent, or reserved and not yet given back. */
  cents(): number;
}

export function watchSpending(): SpendingWatch {
  let total = 0;
  return {
    cents: () => total,
    onEvent: ({ type, content }) => {
      // A claim in place of another has the reservation of that one.
      if (type === "action.claimed" && !(content.action === "tool" && content.supersedes))
        total += centsOf(content.reserve);
      if (type === "action.settled") total += centsOf(content.spent) - centsOf(content.reserve);
    },
  };
}

function centsOf(amounts: Amounts): number {
  return amounts["payments.cents"] ?? 0;
}
