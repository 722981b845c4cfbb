import type { RunProjection } from "@turnseal/folds";
import { nextTickOf } from "../schedule/append-ticks.ts";

/** The next step that the host owes a run: a function of its log alone, never of the attempt. */
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
  // A cancelled run ends now, even if it waits; if it started another run, that one is cancelled
  // first.
  if (isCancelled && !isCommitted(run)) return { kind: isHanded ? "wait" : "continue" };
  if (openTurn === null) return duesBetweenTurns(run);
  const { waiting } = openTurn;
  if (waiting === null) return { kind: "continue" };
  if (waiting.until === null) return { kind: "wait" };
  const atMs = Date.parse(waiting.until);
  // Part of it may go on by itself, while a person decides on another part.
  const wakes = waiting.for === "time" || waiting.wakesAt !== undefined;
  return { kind: wakes ? "wake" : "wait", atMs };
}

/** True while a group goes on to its end, even if the run is cancelled (spec/flow.md §8.6). */
export function isCommitted({ openTurn }: RunProjection): boolean {
  return openTurn?.committed !== undefined;
}

/**
 * A run whose provider is away, or asked to be left alone, is woken when that is over. A run that
 * awaits a signal wakes up by a schedule, and is looked at when its deadline comes.
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
