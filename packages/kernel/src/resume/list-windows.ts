import type { LoopEvent } from "@turnseal/protocol";

/**
 * Lists the largest request of each call, in tokens, by its first record: for calls that asked a
 * model, or had entries summarised before.
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
