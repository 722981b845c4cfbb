/**
 * Spending as a fold of events, for the kernel that enforces it and for a stranger who checks it.
 *
 * Every event that moves an amount carries it, so that each step needs the event alone.
 */
import type { LoopEvent } from "../log/loop-event.ts";
import { keepsReservation } from "../run/resolutions.ts";
import { type Amounts, addAmounts, type Spending, subtractAmounts } from "./budget.ts";

interface Moved {
  readonly reserve?: Amounts;
  readonly spent?: Amounts;
  /** The claim takes over the reservation of an earlier claim of the same key. */
  readonly supersedes?: number;
  readonly resolution?: string;
}

/** What is spent after an event. */
export function foldSpending(
  spending: Spending,
  { type, content }: Pick<LoopEvent, "type" | "content">,
): Spending {
  const { reserve = {}, spent = {}, supersedes, resolution } = content as unknown as Moved;
  switch (type) {
    case "turn.started":
      return { ...spending, settled: addAmounts(spending.settled, { turns: 1 }) };
    case "action.claimed":
      if (supersedes !== undefined) return spending;
      return { ...spending, open: addAmounts(spending.open, reserve) };
    case "action.settled":
      return {
        ...spending,
        open: subtractAmounts(spending.open, reserve),
        settled: addAmounts(spending.settled, spent),
      };
    case "action.resolved":
      return resolveSpending(spending, reserve, resolution);
    default:
      return spending;
  }
}

function resolveSpending(
  spending: Spending,
  reserve: Amounts,
  resolution: string | undefined,
): Spending {
  // A claim that will be made again keeps its reservation: the next claim supersedes it.
  if (keepsReservation(resolution)) return spending;
  return {
    ...spending,
    open: subtractAmounts(spending.open, reserve),
    assumed: addAmounts(spending.assumed, reserve),
  };
}
