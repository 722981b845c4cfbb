/**
 * A run that takes its worker down is stopped from taking the next ones down.
 *
 * 1. Only attempts count that were lost while an action of the run itself was under way, one after
 *    the other, and nothing got any further in between.
 * 2. Before the last attempt there is a pause: what took a worker down may be of another run.
 * 3. Quarantine ends nothing: a person says to go on, or cancels the run.
 */
import type { Block } from "@turnseal/protocol";
import type { RunProjection } from "../projection/run-projection.ts";

/** After so many lost attempts at one action a run is left alone. */
export const LOST_ATTEMPTS_MAX = 3;
/** How long a run is left alone that has lost all of them but one. */
export const LOST_PAUSE_MS = 10_000;

export type LostAttempts =
  | { readonly kind: "quarantined"; readonly block: Block }
  | { readonly kind: "pause"; readonly atMs: number };

/** What the attempts that were lost mean for the next one; undefined where it is made at once. */
export function findQuarantine(
  { openTurn, lastAt, isCancelled }: RunProjection,
  nowMs: number,
): LostAttempts | undefined {
  // Somebody is asked about an action of unknown end: it is not done again.
  const lost = openTurn?.open.find(({ handoff, isUnknown }) => handoff === null && !isUnknown);
  if (openTurn === null || openTurn.waiting !== null || lost === undefined || isCancelled)
    return undefined;
  // The first attempt is no resume.
  const attempts = (openTurn.lost ?? openTurn.resumes) + 1;
  if (attempts >= LOST_ATTEMPTS_MAX)
    return { kind: "quarantined", block: { cause: "quarantined", what: lost.name } };
  const atMs = Date.parse(lastAt) + LOST_PAUSE_MS;
  return attempts === LOST_ATTEMPTS_MAX - 1 && nowMs < atMs ? { kind: "pause", atMs } : undefined;
}
