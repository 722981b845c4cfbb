import type { LoopEvent } from "@turnseal/protocol";

/**
 * True if a tool or a run that may change something was claimed after a call began, or was still
 * open then. Unknown means changed: so is a call that the events do not have.
 */
export function hasActedSince(call: string, events: Iterable<LoopEvent>): boolean {
  const open = new Set<string>();
  let hasBegun = false;
  for (const event of events) {
    if (event.call === call) {
      hasBegun = true;
      if (open.size > 0) return true;
    }
    if (event.type === "action.settled") open.delete(event.content.key);
    if (event.type !== "action.claimed" || !mayChange(event.content)) continue;
    if (hasBegun) return true;
    open.add(event.content.key);
  }
  return !hasBegun;
}

function mayChange({ action, effect }: { action: string; effect: string }): boolean {
  return action !== "model" && effect !== "read";
}
