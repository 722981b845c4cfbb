import type { RunProjection } from "../projection/run-projection.ts";
import { nextTickOf } from "../schedule/append-ticks.ts";

/** What a run is owed: a function of its log, never of what an attempt did. */
export type Dues =
  | { readonly kind: "done" }
  | { readonly kind: "continue" }
  /**
   * Only a person, or something in the inbox, moves it; at `atMs` what is waited for has run out.
   */
  | { readonly kind: "wait"; readonly atMs?: number }
  | { readonly kind: "wake"; readonly atMs: number };

export function dues(run: RunProjection): Dues {
  const { stopped, spec, openTurn, isCancelled } = run;
  if (stopped !== null) return { kind: "done" };
  if (spec === null) return { kind: "wait" };
  const isHanded = (openTurn?.open ?? []).some(({ handoff }) => handoff !== null);
  // Whatever it waited for, it ends now; but for a run that it started, which is cancelled first.
  if (isCancelled && !isCommitted(run)) return { kind: isHanded ? "wait" : "continue" };
  if (openTurn === null) return duesBetweenTurns(run);
  const { waiting } = openTurn;
  if (waiting === null) return { kind: "continue" };
  if (waiting.until === null) return { kind: "wait" };
  const atMs = Date.parse(waiting.until);
  // A part of it may go on by itself, whoever is asked beside it.
  const wakes = waiting.for === "time" || waiting.wakesAt !== undefined;
  return { kind: wakes ? "wake" : "wait", atMs };
}

/** True while a group is carried to its end, whoever has cancelled the run (spec/flow.md §8.6). */
export function isCommitted({ openTurn }: RunProjection): boolean {
  return openTurn?.committed !== undefined;
}

/**
 * A run whose provider is away, or asked to be left alone, is woken when that is over. One that
 * awaits a signal is woken by a schedule, and looked at when its deadline comes.
 */
function duesBetweenTurns(run: RunProjection): Dues {
  const { spec, awaited, lastTurn } = run;
  const deadlineMs = Date.parse(spec?.bounds.deadlineAt ?? "");
  const hasDeadline = !Number.isNaN(deadlineMs);
  const wake = (atMs: number): Dues => ({
    kind: "wake",
    atMs: hasDeadline ? Math.min(atMs, deadlineMs) : atMs,
  });
  if (lastTurn?.retryAt !== undefined && !lastTurn.isDecided)
    return wake(Date.parse(lastTurn.retryAt));
  const outage = lastTurn?.isDecided === false ? lastTurn.outage : undefined;
  if (outage?.isAsked === true || (outage !== undefined && outage.isWaited !== true))
    return { kind: "continue" };
  if (outage?.until !== undefined) return wake(Date.parse(outage.until));
  const isWaiting = outage !== undefined || (awaited?.isWaiting === true && awaited.count === 0);
  if (!isWaiting) return { kind: "continue" };
  const tickMs = nextTickOf(run);
  if (tickMs !== undefined) return wake(tickMs);
  return hasDeadline ? { kind: "wait", atMs: deadlineMs } : { kind: "wait" };
}
