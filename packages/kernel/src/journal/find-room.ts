/** Whether the budget has room for an action, and how much of it the action is given. */
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
import { formatInstant } from "../format-instant.ts";
import { type Failed, fail } from "../outcome.ts";
import type { Step } from "../step/step.ts";

export interface Room {
  readonly reserve: Amounts;
  /** Where there is none. */
  readonly excess?: Excess;
  /** True when there is none, or less than is wanted: others may give some back. */
  readonly isShort: boolean;
}

/** Active time is reserved up to what is left: a deadline, not a refusal, holds an action to it. */
export function findRoom(step: Step): Room {
  const { action, spending, frame } = step;
  const { budget, perCall } = capsOf(step);
  const isTimed = budget.activeMs !== undefined || perCall?.activeMs !== undefined;
  if (!isTimed || action.kind === "handoff") return judgeRoom(step, action.reserve());
  const leftMs = (budget.activeMs ?? AMOUNT_MAX) - (committed(spending()).activeMs ?? 0);
  const untilMs = Math.max(1, frame.deadlineAt - frame.lastMs());
  const wantedMs = Math.min(untilMs, Math.max(1, perCall?.activeMs ?? AMOUNT_MAX));
  // What one call may take is its own; only what is left of the budget is shared.
  const share = Math.max(1, Math.floor(leftMs / countShares(frame)));
  const room = judgeRoom(step, { ...action.reserve(), activeMs: Math.min(wantedMs, share) });
  return { ...room, isShort: room.isShort || Math.max(leftMs, 1) < wantedMs };
}

/** What is done for a group leaves as much time to each that is to come, or may have to. */
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

/** The spending of the run. Open handoffs of earlier periods count in the present ones. */
export function spendingAt(
  { spending, handed }: Pick<Step, "spending" | "handed">,
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

/** A call that was given less is held to less. */
export function capsOf({ caps, frame }: Pick<Step, "caps" | "frame">): Caps {
  return frame.grant ?? caps;
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
