/** Tells whoever watches a run that its log has grown, and what is no longer being written. */
import type { LiveBus } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";

const ends: ReadonlySet<string> = new Set(["action.settled", "action.unknown", "action.resolved"]);

/** For the events of one append, when they are durable. */
export function tellLive(live: LiveBus, run: string): (events: readonly LoopEvent[]) => void {
  return (events) => {
    for (const { type, content } of events) {
      if (ends.has(type)) live.finish({ run, key: String(content["key"]) });
    }
    live.moved(run);
  };
}
