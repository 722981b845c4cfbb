/** The runs that calls in the items of a fan-out have started, as the log has it. */
import { type EventOf, isClaimOf, type LoopEvent } from "@turnseal/protocol";
import { groupByItem } from "./group-by-item.ts";
import type { ItemOfCall } from "./item-place.ts";

export type Claim = EventOf<"action.claimed">;

export interface ItemRuns {
  /** The runs that had not ended when the item was closed, or have not now. */
  readonly left: readonly string[];
  /** True while one of them has not ended. */
  readonly isOpen: boolean;
}

/** The runs that items of a fan-out have started, by the index of the item. */
export function listItemRuns(
  events: readonly LoopEvent[],
  { call, path }: Pick<ItemOfCall, "call" | "path">,
): ReadonlyMap<number, ItemRuns> {
  const runs = new Map<number, ItemRuns>();
  if (!events.some((event) => isClaimOf("handoff", event))) return runs;
  const closed = new Map(
    events.flatMap((event) =>
      event.type === "item.closed" && event.call === call && event.content.path === path
        ? [[event.content.index, event.sequence]]
        : [],
    ),
  );
  for (const [index, own] of groupByItem(events, { call, path })) {
    const end = closed.get(index) ?? Number.POSITIVE_INFINITY;
    const left = listRuns(own.filter(({ sequence }) => sequence < end));
    if (left.length > 0) runs.set(index, { left, isOpen: listRuns(own).length > 0 });
  }
  return runs;
}

function listRuns(events: readonly LoopEvent[]): string[] {
  return listOpenClaims(events).flatMap((claim) =>
    isClaimOf("handoff", claim) ? [claim.content.child] : [],
  );
}

/** Lists claims without a recorded end, and without a replacement. */
export function listOpenClaims(events: readonly LoopEvent[]): Claim[] {
  const ended = new Set(
    events.flatMap((event) =>
      event.type === "action.settled" || event.type === "action.resolved"
        ? [event.content.claim]
        : [],
    ),
  );
  return events
    .filter((event) => event.type === "action.claimed")
    .filter(({ sequence }) => !ended.has(sequence));
}
