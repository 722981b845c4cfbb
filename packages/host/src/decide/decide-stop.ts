/**
 * Decides, outside the model, whether a run goes on. Pure: the same facts always give the same
 * reason.
 */

import type { ClosedTurn, Outage, RunProjection, StopDecision } from "@turnseal/folds";
import type { StopReason } from "@turnseal/protocol";

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
  // A child run seals a turn in any case, since its parent counts by the receipt.
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
  // A decision to go on with a signal stands: no other turn begins with that signal.
  return lastTurn.isDecided || (run.awaited?.count ?? 0) > 0
    ? { kind: "continue", reason: "signal-received" }
    : { kind: "wait", reason: "signal-awaited" };
}

/**
 * True if the next turn would replace one with an open effect, or come after one that failed so: an
 * action that may have happened is not retried.
 */
function leftEffect(
  { failures, unknownEnds = [] }: RunProjection,
  { turn, outage, continued, isGivenUp = false }: ClosedTurn,
): boolean {
  const isInPlace = failures > 0 || isGivenUp || outage !== undefined || continued !== undefined;
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

/** A provider's wish to be left alone for a while also holds for the next turn. */
function decideRetry({ retryAt, isDecided }: ClosedTurn, nowMs: number): StopDecision {
  const isEarly = !isDecided && retryAt !== undefined && nowMs < Date.parse(retryAt);
  return isEarly
    ? { kind: "wait", reason: "retry-later" }
    : { kind: "continue", reason: "retry-after-failure" };
}

/** The reasons that the last turn alone gives. */
function decideByTurn(last: ClosedTurn): StopReason | undefined {
  const { outcome, reason, unit, isAborted, isGivenUp, continued } = last;
  if (reason === "drifted") return "drifted";
  if (reason === "stalled") return "stalled";
  if (outcome === "unknown") return "effect-unknown";
  if (reason === "approval-rejected" || reason === "approval-expired") return reason;
  if (outcome === "denied") return "denied";
  if (outcome === "cancelled") return isAborted === true ? undefined : "cancelled";
  if (continued !== undefined) return undefined;
  if (reason !== "BUDGET_EXCEEDED") return undefined;
  if (unit !== "rounds") return "budget-exhausted";
  return isGivenUp === true ? undefined : "rounds-exhausted";
}

function stop(reason: StopReason): StopDecision {
  return { kind: "stop", reason };
}
