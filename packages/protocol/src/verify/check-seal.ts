/**
 * Finds what no receipt vouches for (spec/receipt.md §6.7).
 *
 * 1. Whoever can write a log, or only a file, can write anything after the last receipt, without a
 *    key: what was done or approved there is not proven.
 * 2. How a run went on after its last turn is the host's word. It gives nobody any authority, and
 *    is no fault.
 */
import type { RawEvent } from "../log/raw-event.ts";
import { type Finding, finding } from "./finding.ts";

/** What a host says between turns and after the last. */
const afterwords: ReadonlySet<string> = new Set([
  "run.decided",
  "run.blocked",
  "run.stopped",
  "run.resolved",
  "signal.received",
  "drift.reconciled",
  "artifact.adopted",
]);

/** Looks at the events after the last turn that was closed; `closedUntil` is zero for none. */
export function checkSeal(events: readonly RawEvent[], closedUntil: number): Finding[] {
  const open = events.slice(closedUntil).find((event) => !isAfterword(event));
  const place = open === undefined ? {} : placeOf(open);
  if (closedUntil === 0)
    return [finding("RUN_UNSEALED", "no turn is sealed, so that nothing is proven", place)];
  if (open === undefined) return [];
  return [finding("TAIL_UNSEALED", "a turn is open: nothing proves what stands in it", place)];
}

function isAfterword({ type, turn, sequence }: RawEvent): boolean {
  return (afterwords.has(type) && turn === undefined) || (type === "run.started" && sequence === 1);
}

function placeOf({ sequence, turn }: RawEvent): { sequence: number; turn?: number } {
  return turn === undefined ? { sequence } : { sequence, turn };
}
