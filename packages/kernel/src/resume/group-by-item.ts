/** The events of a fan-out, by the item that they are of. */
import type { LoopEvent } from "@turnseal/protocol";
import { findItem, type ItemOfCall, listItemCalls } from "./item-place.ts";
import { listHanded } from "./list-handed.ts";

/** Groups the events of the calls in a fan-out, and of the waits of its items, by item. */
export function groupByItem(
  events: readonly LoopEvent[],
  fanOut: Pick<ItemOfCall, "call" | "path">,
): ReadonlyMap<number, LoopEvent[]> {
  const calls = listItemCalls(events, fanOut);
  const handed = listHanded(events, fanOut);
  const owned = new Map<number, LoopEvent[]>();
  for (const event of events) {
    if (event.call === undefined) continue;
    const index =
      event.call === fanOut.call
        ? (handed.get(keyOf(event)) ?? waitOf(event, fanOut.path))
        : calls.get(event.call);
    if (index === undefined) continue;
    const own = owned.get(index);
    if (own === undefined) owned.set(index, [event]);
    else own.push(event);
  }
  return owned;
}

function keyOf({ content }: LoopEvent): string {
  return "key" in content && typeof content.key === "string" ? content.key : "";
}

/** Returns the item of a wait, which is no call of its own. */
function waitOf(event: LoopEvent, fanOut: string): number | undefined {
  switch (event.type) {
    case "question.asked":
    case "question.answered":
    case "approval.expired": {
      const { path } = event.content;
      return path === undefined ? undefined : findItem(path, fanOut);
    }
    default:
      return undefined;
  }
}
