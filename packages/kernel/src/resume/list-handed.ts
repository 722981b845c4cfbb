/** The items of a fan-out that are runs of their own, by the keys of what starts them. */
import type { LoopEvent } from "@turnseal/protocol";
import { findItem, type ItemOfCall, pathOfItem } from "./item-place.ts";

/**
 * Lists all handoffs that were asked for or claimed, as the log has it. An item of a fan-out inside
 * this one belongs to the item around it.
 */
export function listHanded(
  events: readonly LoopEvent[],
  { call, path }: Pick<ItemOfCall, "call" | "path">,
): ReadonlyMap<string, number> {
  const handed = new Map<string, number>();
  for (const event of events) {
    if (event.type !== "action.claimed" && event.type !== "approval.requested") continue;
    const { content } = event;
    const item = content.action === "handoff" ? content.item : undefined;
    if (event.call !== call || item === undefined) continue;
    const index = findItem(pathOfItem(item), path);
    if (index !== undefined) handed.set(content.key, index);
  }
  return handed;
}
