/** The daily spending of a tenant's runs. */
import {
  AMOUNT_MAX,
  addAmounts,
  foldSpending,
  type LoopEvent,
  NO_SPENDING,
} from "@turnseal/protocol";

export interface Spent {
  readonly tokens: number;
  /** In millionths of a dollar, by the worker's prices. */
  readonly moneyMicros: number;
}

/** The spending since midnight, in UTC. */
export interface SpentToday extends Spent {
  readonly endsAtMs: number;
}

/** Decides whether a tenant's spending is counted, and hears of each count. */
export interface Counting {
  isCounted(): boolean;
  onCounted(): void;
}

/**
 * Sums the spending of events; undefined for none. A handoff's run counts its own spending. An
 * action with an unknown end counts in full.
 */
export function sumSpent(events: readonly LoopEvent[]): Spent | undefined {
  let spending = NO_SPENDING;
  for (const event of events) {
    if (event.type === "action.settled" && event.content.action === "handoff") continue;
    spending = foldSpending(spending, event);
  }
  const spent = addAmounts(spending.settled, spending.assumed);
  const { inputTokens = 0, outputTokens = 0, moneyMicros = 0 } = spent;
  const tokens = Math.min(inputTokens + outputTokens, AMOUNT_MAX);
  return tokens === 0 && moneyMicros === 0 ? undefined : { tokens, moneyMicros };
}
