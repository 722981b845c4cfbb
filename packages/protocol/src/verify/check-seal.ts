/**
 * Finds what no receipt vouches for (spec/receipt.md §6.7).
 *
 * 1. A writer of the log, or only of the file, can write a tail without a key. A tail proves
 *    nothing.
 * 2. The grammar lets only the host and people act between turns. That gives no authority, and is
 *    no fault.
 */
import type { RawEvent } from "../log/raw-event.ts";
import { type Finding, finding } from "./finding.ts";

/** Looks at the events after the last turn that was closed; `closedUntil` is zero for none. */
export function checkSeal(events: readonly RawEvent[], closedUntil: number): Finding[] {
  const open = events.slice(closedUntil).find(({ type }) => type === "turn.started");
  const place = open === undefined ? {} : placeOf(open);
  if (closedUntil === 0)
    return [
      finding("RUN_UNSEALED", "no turn has ended and been sealed yet, so nothing is proven", place),
    ];
  if (open === undefined) return [];
  return [finding("TAIL_UNSEALED", "a turn is open: nothing proves what stands in it", place)];
}

function placeOf({ sequence, turn }: RawEvent): { sequence: number; turn?: number } {
  return turn === undefined ? { sequence } : { sequence, turn };
}
