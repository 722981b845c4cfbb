import type { LoopEvent } from "@turnseal/protocol";

/**
 * The most tokens that requests of a call have, as its first record says: of each call that asked a
 * model, or had something summarised before it did.
 */
export function listWindows(events: readonly LoopEvent[]): ReadonlyMap<string, number | null> {
  const windows = new Map<string, number | null>();
  for (const event of events) {
    if (event.call === undefined || windows.has(event.call)) continue;
    if (event.type === "child.started" && event.content.summary !== undefined)
      windows.set(event.call, event.content.summary.windowTokens ?? null);
    if (event.type === "action.claimed" && event.content.action === "model")
      windows.set(event.call, event.content.context.windowTokens ?? null);
  }
  return windows;
}
