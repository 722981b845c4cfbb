/** What runs spend of what their tenant may spend in a day. */
import {
  AMOUNT_MAX,
  addAmounts,
  foldSpending,
  type LoopEvent,
  NO_SPENDING,
} from "@turnseal/protocol";

export interface Spent {
  readonly tokens: number;
  /** In millionths of a dollar, by the prices of whoever asked. */
  readonly moneyMicros: number;
}

/** What was spent since midnight, in UTC. */
export interface SpentToday extends Spent {
  readonly endsAtMs: number;
}

/** Whether what a tenant spends is counted, and who hears of it. */
export interface Counting {
  isCounted(): boolean;
  onCounted(): void;
}

/**
 * What events say was spent; undefined where it is nothing. What a run below has spent is counted
 * by itself. An action whose end nobody knows is taken to have cost all that it reserved.
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
