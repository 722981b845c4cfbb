/** A process that dies, for tests: from one moment on it neither writes nor tells anything. */
import type { Stores } from "@turnseal/ports";

/** A process that is dead from the given append on, counted from one over all runs. */
export function dieAt(place: number, when: "before" | "after") {
  let count = 0;
  const see = (stores: Stores): Stores => ({
    ...stores,
    inbox: {
      ...stores.inbox,
      put: async (message) => {
        if (count >= place) throw new Error("dead");
        return stores.inbox.put(message);
      },
    },
    log: {
      ...stores.log,
      append: async (append) => {
        count += 1;
        if (count > place || (count === place && when === "before")) throw new Error("dead");
        const answer = await stores.log.append(append);
        if (count === place) throw new Error("dead");
        return answer;
      },
    },
  });
  return { see, hasDied: () => count >= place };
}
