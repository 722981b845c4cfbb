/**
 * Decides, outside the model, whether a run goes on. Pure: the same facts always give the same
 * reason.
 */
import type { StopReason } from "@turnseal/protocol";
import type { Outage } from "../projection/provider-state.ts";
import type { ClosedTurn, RunProjection } from "../projection/run-projection.ts";

export type StopDecision =
  | {
      readonly kind: "continue";
      readonly reason:
        | "first-turn"
        | "goal-not-reached"
        | "retry-after-failure"
        | "rounds-exhausted"
        | "signal-received";
    }
  | { readonly kind: "wait"; readonly reason: "signal-awaited" }
  | { readonly kind: "wait"; readonly reason: "retry-later" }
  /** Until then; without a time until somebody says so. */
  | { readonly kind: "wait"; readonly reason: "provider-awaited"; readonly until?: string }
  | { readonly kind: "stop"; readonly reason: StopReason };

export interface StopFacts {
  readonly nowMs: number;
  /** Whether the last turn's output meets the goal. */
  readonly isGoalReached: boolean;
  /** Whether the receipt of the last closed turn is in the store. */
  readonly hasReceipt: boolean;
}

/** The first rule that applies wins. */
export function decideStop(
  run: RunProjection,
  { nowMs, isGoalReached, hasReceipt }: StopFacts,
): StopDecision {
  const { spec, lastTurn } = run;
  if (spec === null) return stop("denied");
  if (lastTurn !== null && !hasReceipt) return stop("receipt-missing");
  const ended = lastTurn === null ? undefined : decideByTurn(lastTurn);
  if (ended !== undefined) return stop(ended);
  if (isGoalReached) return stop("goal-reached");
  // Whoever started it counts what a receipt says: it seals a turn in any case.
  const mustSeal = lastTurn === null && spec.parent !== undefined;
  if (run.isCancelled && !mustSeal) return stop("cancelled");
  const { bounds, grant } = spec;
  const isLate = bounds.deadlineAt !== undefined && nowMs >= Date.parse(bounds.deadlineAt);
  if (isLate && !mustSeal) return stop("deadline-passed");
  if (run.failures >= bounds.failuresMax) return stop("failed");
  const { turnsMax = Number.POSITIVE_INFINITY } = bounds;
  if (run.turns - (run.outages ?? 0) >= turnsMax) return stop("turns-exhausted");
  if (grant.budget.turns !== undefined && run.turns >= grant.budget.turns && !mustSeal)
    return stop("budget-exhausted");
  if (lastTurn === null) return { kind: "continue", reason: "first-turn" };
  if (leftEffect(run, lastTurn)) return stop("effect-unknown");
  if (lastTurn.outage !== undefined) return decideOutage(lastTurn, lastTurn.outage, nowMs);
  if (lastTurn.continued !== undefined) return { kind: "continue", reason: "rounds-exhausted" };
  if (run.failures > 0) return decideRetry(lastTurn, nowMs);
  if (bounds.awaits === undefined) return { kind: "continue", reason: "goal-not-reached" };
  // What was decided with a signal stays decided: no other turn begins with it.
  return lastTurn.isDecided || (run.awaited?.count ?? 0) > 0
    ? { kind: "continue", reason: "signal-received" }
    : { kind: "wait", reason: "signal-awaited" };
}

/**
 * True when the next turn would take the place of one that has left an effect open: what may have
 * happened is not tried again.
 */
function leftEffect(
  { failures, unknownEnds = [] }: RunProjection,
  { turn, outage, continued }: ClosedTurn,
): boolean {
  const isInPlace = failures > 0 || outage !== undefined || continued !== undefined;
  return isInPlace && unknownEnds.some((end) => end.turn === turn);
}

/** A provider that is away is waited for, and then asked by a turn of its own. */
function decideOutage(
  { isDecided }: ClosedTurn,
  { until, isAsked }: Outage,
  nowMs: number,
): StopDecision {
  const isDue = until !== undefined && nowMs >= Date.parse(until);
  if (isDecided || isDue || isAsked === true)
    return { kind: "continue", reason: "retry-after-failure" };
  return { kind: "wait", reason: "provider-awaited", ...(until === undefined ? {} : { until }) };
}

/** Whoever asked to be left alone for a while is, also by the next turn. */
function decideRetry({ retryAt, isDecided }: ClosedTurn, nowMs: number): StopDecision {
  const isEarly = !isDecided && retryAt !== undefined && nowMs < Date.parse(retryAt);
  return isEarly
    ? { kind: "wait", reason: "retry-later" }
    : { kind: "continue", reason: "retry-after-failure" };
}

/** The reasons that the last turn alone gives. */
function decideByTurn(last: ClosedTurn): StopReason | undefined {
  const { outcome, reason, unit, isAborted, continued } = last;
  if (reason === "drifted") return "drifted";
  if (reason === "stalled") return "stalled";
  if (outcome === "unknown") return "effect-unknown";
  if (reason === "approval-rejected" || reason === "approval-expired") return reason;
  if (outcome === "denied") return "denied";
  if (outcome === "cancelled") return isAborted === true ? undefined : "cancelled";
  if (continued !== undefined) return undefined;
  if (reason === "BUDGET_EXCEEDED")
    return unit === "rounds" ? "rounds-exhausted" : "budget-exhausted";
  return undefined;
}

function stop(reason: StopReason): StopDecision {
  return { kind: "stop", reason };
}
