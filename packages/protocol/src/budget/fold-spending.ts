/**
 * Spending as a fold of events, for the kernel that enforces it and for a stranger who checks it.
 *
 * Every event that moves an amount carries it, so that each step needs the event alone.
 */
import type { LoopEvent } from "../log/loop-event.ts";
import { keepsReservation } from "../run/resolutions.ts";
import {
  type Amounts,
  addAmounts,
  type DailySpending,
  type Spending,
  subtractAmounts,
} from "./budget.ts";

interface Moved {
  readonly reserve?: Amounts;
  readonly spent?: Amounts;
  /** The claim takes over the reservation of an earlier claim of the same key. */
  readonly supersedes?: number;
  readonly resolution?: string;
  /** The day on which it counts, where the grant has a cap for days. */
  readonly day?: string;
}

/** What is spent after an event. */
export function foldSpending(
  spending: Spending,
  { type, content }: Pick<LoopEvent, "type" | "content">,
): Spending {
  const moved = content as unknown as Moved;
  const { reserve = {}, spent = {}, supersedes, resolution, day } = moved;
  switch (type) {
    case "turn.started": {
      const turn = { turns: 1 };
      return {
        ...spending,
        settled: addAmounts(spending.settled, turn),
        ...countDaily(spending.daily, day, turn),
      };
    }
    case "action.claimed":
      if (supersedes !== undefined) return spending;
      return {
        ...spending,
        open: addAmounts(spending.open, reserve),
        ...countDaily(spending.daily, day, reserve),
      };
    case "action.settled":
      return {
        ...spending,
        open: subtractAmounts(spending.open, reserve),
        settled: addAmounts(spending.settled, spent),
        ...settleDaily(spending.daily, moved),
      };
    case "action.resolved":
      return resolveSpending(spending, reserve, resolution);
    default:
      return spending;
  }
}

type Daily = Pick<Spending, "daily">;

/** Only the latest day is kept: time in a log never goes back. */
function countDaily(
  daily: DailySpending | undefined,
  day: string | undefined,
  amounts: Amounts,
): Daily {
  if (typeof day !== "string" || (daily !== undefined && day < daily.day)) return {};
  const before = daily?.day === day ? daily.amounts : {};
  return { daily: { day, amounts: addAmounts(before, amounts) } };
}

/** What was reserved on a day that is over stays as it was counted. */
function settleDaily(
  daily: DailySpending | undefined,
  { day, reserve = {}, spent = {} }: Moved,
): Daily {
  if (daily === undefined || daily.day !== day) return {};
  return { daily: { day, amounts: addAmounts(subtractAmounts(daily.amounts, reserve), spent) } };
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
