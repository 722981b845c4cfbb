/** Reports to watchers that the log of a run has grown, and which pieces are complete. */
import type { LiveBus } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";

/** For the events of one append, when they are durable. */
export function tellLive(live: LiveBus, run: string): (events: readonly LoopEvent[]) => void {
  return (events) => {
    for (const event of events) {
      const isEnd =
        event.type === "action.settled" ||
        event.type === "action.unknown" ||
        event.type === "action.resolved";
      if (isEnd) live.finish({ run, key: event.content.key });
    }
    live.moved(run);
  };
}
