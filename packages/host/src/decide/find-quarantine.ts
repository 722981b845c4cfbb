/**
 * A run that takes its worker down is stopped from taking the next ones down.
 *
 * 1. Only attempts count that were lost while an action of the run itself was under way, one after
 *    the other, and nothing got any further in between.
 * 2. Before the last attempt there is a pause. Another run may have taken the worker down, and lost
 *    workers get time to come back. An engine counts it from when the loss was found: an action may
 *    have taken long before it took its worker down.
 * 3. Quarantine ends nothing: a person says to go on, or cancels the run.
 */

import type { RunProjection } from "@turnseal/folds";
import type { Block } from "@turnseal/protocol";

/** After so many lost attempts at one action a run is left alone. */
export const LOST_ATTEMPTS_MAX = 3;
/** How long a run is left alone that has lost all of them but one: each run for another time. */
export const LOST_PAUSE_MS_MIN = 2_000;
export const LOST_PAUSE_MS_MAX = 10_000;

export type LostAttempts =
  | { readonly kind: "quarantined"; readonly block: Block }
  | { readonly kind: "pause"; readonly atMs: number }
  /** The pause that was due by the log is over. */
  | { readonly kind: "last" };

/** The effect of the lost attempts on the next one; undefined if it is made at once. */
export function findQuarantine(
  { run, openTurn, lastAt, isCancelled }: RunProjection,
  nowMs: number,
): LostAttempts | undefined {
  // An unknown action waits for a person: it is not retried.
  const lost = openTurn?.open.find(({ handoff, isUnknown }) => handoff === null && !isUnknown);
  if (openTurn === null || openTurn.waiting !== null || lost === undefined || isCancelled)
    return undefined;
  // The first attempt is no resume.
  const attempts = (openTurn.lost ?? openTurn.resumes) + 1;
  if (attempts >= LOST_ATTEMPTS_MAX)
    return { kind: "quarantined", block: { cause: "quarantined", what: lost.name } };
  if (attempts < LOST_ATTEMPTS_MAX - 1) return undefined;
  const atMs = Date.parse(lastAt) + lostPauseMs(run);
  return nowMs < atMs ? { kind: "pause", atMs } : { kind: "last" };
}

/**
 * Spreads the pauses: runs that were lost with one worker come back at different times. Otherwise
 * the run that crashes the worker would have the others quarantined with it.
 */
export function lostPauseMs(run: string): number {
  const part = Number.parseInt(run.slice(0, 8), 16) / 2 ** 32;
  const spreadMs = LOST_PAUSE_MS_MAX - LOST_PAUSE_MS_MIN;
  return LOST_PAUSE_MS_MIN + Math.floor((Number.isNaN(part) ? 1 : part) * spreadMs);
}
