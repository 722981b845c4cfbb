/** True when a part of a flow has left an effect with an unknown end. */
import type { LoopEvent } from "@turnseal/protocol";
import type { Frame } from "../resume/frame.ts";
import type { TurnJournalOptions } from "../step/step.ts";
import { eventsOf } from "./events-of.ts";

/**
 * Reads withdrawn claims at a path of the call, without its further tries: they have paths below
 * it. A later resolution changes nothing, so that a resume decides in the same way.
 */
export function hasUnknownEffect(
  { call }: Frame,
  path: string,
  options: Pick<TurnJournalOptions, "recorded" | "appender">,
): boolean {
  const events = eventsOf(options);
  const isSaid = (event: LoopEvent): boolean =>
    event.type === "action.unknown" && event.content.status === "withdrawn";
  if (!events.some(isSaid)) return false;
  const inside = new Set<string>();
  for (const event of events) {
    const { parentCall } = event;
    if (event.call === undefined) continue;
    if (parentCall !== undefined && inside.has(parentCall)) inside.add(event.call);
    if (event.type === "child.started" && event.call === call)
      if (isBelow(event.content.path ?? "", path)) inside.add(event.content.child);
    if (isSaid(event) && inside.has(event.call)) return true;
  }
  return false;
}

function isBelow(path: string, above: string): boolean {
  if (path === above) return true;
  return path.startsWith(`${above}/`) && !path.startsWith(`${above}/tries/`);
}
