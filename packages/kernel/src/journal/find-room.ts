/** Finds out whether the budget has room for an action, and how much the action gets. */
import {
  AMOUNT_MAX,
  type Amounts,
  addAmounts,
  type Caps,
  carryOpen,
  committed,
  type EventOf,
  type Excess,
  findExcess,
  type PeriodKind,
  type Spending,
} from "@turnseal/protocol";
import { type Failed, fail } from "../outcome.ts";
import type { Step, TurnAuthority } from "../step/step.ts";
import { formatInstant } from "../values/format-instant.ts";

export interface Room {
  readonly reserve: Amounts;
  /** The excess, where there is no room. */
  readonly excess?: Excess;
  /** True when there is none, or less than is wanted: others may give some back. */
  readonly isShort: boolean;
}

/** Active time is reserved up to what is left: a deadline, not a refusal, holds an action to it. */
export function findRoom(step: Step): Room {
  const { action, frame } = step;
  const { budget, perCall } = capsOf(step);
  const isTimed = budget.activeMs !== undefined || perCall?.activeMs !== undefined;
  if (!isTimed || action.kind === "handoff") return judgeRoom(step, action.reserve());
  const leftMs =
    (budget.activeMs ?? AMOUNT_MAX) - (committed(step.authority.spending()).activeMs ?? 0);
  const untilMs = Math.max(1, frame.deadlineAt - frame.lastMs());
  const wantedMs = Math.min(untilMs, Math.max(1, perCall?.activeMs ?? AMOUNT_MAX));
  // A limit for each call is not shared, only the rest of the budget is.
  const share = Math.max(1, Math.floor(leftMs / countShares(frame)));
  const room = judgeRoom(step, { ...action.reserve(), activeMs: Math.min(wantedMs, share) });
  return { ...room, isShort: room.isShort || Math.max(leftMs, 1) < wantedMs };
}

/**
 * Counts the members to come and the compensations, so that each gets the same share of the time.
 */
function countShares({ hold }: Step["frame"]): number {
  if (hold === undefined) return 1;
  return Math.max(1, hold.isReleased() ? 1 : hold.left) + hold.kept.length;
}

function judgeRoom(step: Step, reserve: Amounts): Room {
  const { clock, appender, frame } = step;
  const at = formatInstant(Math.max(clock.now(), appender.lastMs()));
  const { perCall: _, ...caps } = capsOf(step);
  const kept = (frame.hold?.kept ?? []).reduce(addAmounts, reserve);
  const spending = spendingAt(step, at);
  const excess =
    findExcess(capsOf(step), spending, { wanted: reserve, at }) ??
    findExcess(caps, spending, { wanted: kept, at });
  return excess === undefined ? { reserve, isShort: false } : { reserve, excess, isShort: true };
}

type SpendingStep = Pick<Step, "handed"> & { readonly authority: Pick<TurnAuthority, "spending"> };

/** The spending of the run. Open handoffs of earlier periods count in the present ones. */
export function spendingAt(
  { authority: { spending }, handed }: SpendingStep,
  at: string,
): Spending {
  if (handed.length === 0) return spending();
  return carryOpen(
    spending(),
    handed.map(({ content }) => content),
    at,
  );
}

/** A claim that supersedes another has its room already. */
export function roomOf({ content }: EventOf<"action.claimed">): Room {
  return { reserve: content.reserve, isShort: false };
}

type CappedStep = Pick<Step, "frame"> & { readonly authority: Pick<TurnAuthority, "caps"> };

/** A call with a narrower grant has lower caps. */
export function capsOf({ authority, frame }: CappedStep): Caps {
  return frame.grant ?? authority.caps;
}

const ofPeriod: Readonly<Record<PeriodKind, string>> = {
  hour: " of an hour",
  day: " of a day",
  week: " of a week",
  month: " of a month",
};

export function refuseExcess({ cap, unit, period }: Excess): Failed {
  const ofCap = cap === "perCall" ? " of one call" : "";
  const whose = period === undefined ? ofCap : ofPeriod[period];
  const message = `the budget${whose} for ${unit} does not allow it`;
  return fail("BUDGET_EXCEEDED", message, { unit, ...(period === undefined ? {} : { period }) });
}
