/**
 * Spending as a fold of events, for the kernel that enforces it and for a stranger who checks it.
 *
 * Every event that moves an amount has it, so that each step needs the event alone. The event may
 * be foreign: each field is checked when it is read.
 */
import {
  type Amounts,
  addAmounts,
  type PeriodSpending,
  type Spending,
  subtractAmounts,
} from "../budget/budget.ts";
import { PERIOD_KINDS, type PeriodKind } from "../budget/period.ts";
import { isPlainObject } from "../canonical-json.ts";
import { unreachable } from "../error.ts";
import type { AnyEvent } from "../log/raw-event.ts";
import { keepsReservation } from "../resolutions.ts";
import { isFileEventType, isLogEventType, isPlanEventType } from "./event-types.ts";

interface Moved {
  readonly reserve?: Amounts;
  readonly spent?: Amounts;
  /** The claim takes over the reservation of an earlier claim of the same key. */
  readonly supersedes?: number;
  readonly resolution?: string;
  /** The periods in which it counts, where the grant has caps for some. */
  readonly periods?: unknown;
}

/** Returns the spending after an event. */
export function foldSpending(
  spending: Spending,
  { type, content }: Pick<AnyEvent, "type" | "content">,
): Spending {
  const moved: Moved = content;
  const { reserve = {}, spent = {}, supersedes, resolution, periods } = moved;
  const kind = isLogEventType(type) ? type : "vendor";
  if (isPlanEventType(kind) || isFileEventType(kind) || kind === "group.closed") return spending;
  switch (kind) {
    case "turn.started": {
      const turn = { turns: 1 };
      return {
        ...spending,
        settled: addAmounts(spending.settled, turn),
        ...countPeriodic(spending, periods, turn),
      };
    }
    case "action.claimed":
      if (supersedes !== undefined) return spending;
      return {
        ...spending,
        open: addAmounts(spending.open, reserve),
        ...countPeriodic(spending, periods, reserve),
      };
    case "action.settled":
      return {
        ...spending,
        open: subtractAmounts(spending.open, reserve),
        settled: addAmounts(spending.settled, spent),
        ...settlePeriodic(spending, moved),
      };
    case "action.resolved":
      return resolveSpending(spending, reserve, resolution);
    case "run.started":
    case "run.decided":
    case "run.blocked":
    case "run.stopped":
    case "run.resolved":
    case "signal.received":
    case "turn.denied":
    case "turn.resumed":
    case "turn.waiting":
    case "turn.closed":
    case "call.started":
    case "call.input.validated":
    case "call.output.validated":
    case "call.completed":
    case "call.errored":
    case "child.started":
    case "child.completed":
    case "fanout.fixed":
    case "item.closed":
    case "step.retried":
    case "step.skipped":
    case "action.unknown":
    case "cache.hit":
    case "approval.requested":
    case "approval.decided":
    case "approval.expired":
    case "question.asked":
    case "question.answered":
    case "note.added":
    case "note.expired":
    case "log":
    case "vendor":
      return spending;
    default:
      return unreachable(kind);
  }
}

type Periodic = Pick<Spending, "periodic">;

/** Only the latest period of a kind is kept: time in a log never goes back. */
function countPeriodic(spending: Spending, periods: unknown, amounts: Amounts): Periodic {
  return movePeriodic(spending, periods, (period, latest) => {
    if (latest !== undefined && period < latest.period) return latest;
    const before = latest?.period === period ? latest.amounts : {};
    return { period, amounts: addAmounts(before, amounts) };
  });
}

/** Reservations of an earlier period stay as they were counted. */
function settlePeriodic(
  spending: Spending,
  { periods, reserve = {}, spent = {} }: Moved,
): Periodic {
  return movePeriodic(spending, periods, (period, latest) =>
    latest?.period === period
      ? { period, amounts: addAmounts(subtractAmounts(latest.amounts, reserve), spent) }
      : latest,
  );
}

/** Moves each kind with a named period. */
function movePeriodic(
  { periodic }: Spending,
  periods: unknown,
  move: (period: string, latest: PeriodSpending | undefined) => PeriodSpending | undefined,
): Periodic {
  const moved: Partial<Record<PeriodKind, PeriodSpending>> = { ...periodic };
  for (const kind of PERIOD_KINDS) {
    const period = isPlainObject(periods) ? periods[kind] : undefined;
    const after = typeof period === "string" ? move(period, moved[kind]) : undefined;
    if (after !== undefined) moved[kind] = after;
  }
  // A run that counts in no period has no such part.
  return periodic === undefined && Object.keys(moved).length === 0 ? {} : { periodic: moved };
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
