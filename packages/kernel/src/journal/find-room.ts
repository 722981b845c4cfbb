/** Whether the budget has room for an action, and how much of it the action is given. */
import {
  AMOUNT_MAX,
  type Amounts,
  type Caps,
  committed,
  dayOf,
  type Excess,
  findExcess,
  type LoopEvent,
} from "@turnseal/protocol";
import { type Failed, fail } from "../outcome.ts";
import type { Step } from "./step.ts";

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
  const activeMs = Math.min(wantedMs, Math.max(leftMs, 1));
  const room = judgeRoom(step, { ...action.reserve(), activeMs });
  return { ...room, isShort: room.isShort || activeMs < wantedMs };
}

function judgeRoom(step: Step, reserve: Amounts): Room {
  const wanted = { wanted: reserve, day: todayOf(step) };
  const excess = findExcess(capsOf(step), step.spending(), wanted);
  return excess === undefined ? { reserve, isShort: false } : { reserve, excess, isShort: true };
}

/** A claim that supersedes another has its room already. */
export function takeOver({ content }: LoopEvent): Room {
  return { reserve: content["reserve"] as Amounts, isShort: false };
}

/** A call that was given less is held to less. */
export function capsOf({ caps, frame }: Pick<Step, "caps" | "frame">): Caps {
  return frame.grant ?? caps;
}

function todayOf({ clock, appender }: Step): string {
  return dayOf(new Date(Math.max(clock.now(), appender.lastMs())).toISOString());
}

const periods = { budget: "", perCall: " of one call", perDay: " of a day" } as const;

export function refuseExcess({ cap, unit }: Excess): Failed {
  const message = `the budget${periods[cap]} for ${unit} does not allow it`;
  return fail("BUDGET_EXCEEDED", message, { unit });
}
