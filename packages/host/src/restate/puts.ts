/**
 * Rows that are put into inboxes at once, shared among tenants. Without a bound, messages to a
 * thousand runs would take every connection of the worker, and all steps would wait.
 */
import type { PutAnswer } from "@turnseal/ports";
import { type AskedSlot, createSlots } from "./slots.ts";

export interface Puts {
  /** Puts when it is the tenant's turn; rejects when that does not come, to be tried again. */
  put(asked: Pick<AskedSlot, "tenant" | "clock" | "attempt">, act: Put): Promise<PutAnswer>;
}

type Put = () => Promise<PutAnswer>;

/** A put takes some milliseconds: so many are hundreds a second. */
export const PUTS_MAX = 4;
/** How long a message waits for its turn before the engine brings it again. */
const TURN_MS_MAX = 60_000;

export function createPuts(): Puts {
  const slots = createSlots(PUTS_MAX);
  return {
    put: async (asked, act) => {
      // The engine holds the message already, so that it may wait here as in a lane.
      const release = await slots.take({ ...asked, waitMs: TURN_MS_MAX, isFromLane: true });
      if (release === undefined) throw new Error("no turn to put a message");
      try {
        return await act();
      } finally {
        release();
      }
    },
  };
}
