import type { Append, Stores } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";

/** The same stores, with someone who is told of every event once it is durable. */
export function watchLog(
  stores: Stores,
  onEvent: (event: LoopEvent, append: Append) => void,
): Stores {
  const { log } = stores;
  return {
    ...stores,
    log: {
      ...log,
      append: async (append) => {
        const answer = await log.append(append);
        if (answer.kind === "appended") for (const event of append.events) onEvent(event, append);
        return answer;
      },
    },
  };
}
