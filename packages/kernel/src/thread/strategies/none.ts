/** The strategy `none`: shows nothing from before the call, and as much of the call as fits. */
import { showFlat } from "./flat.ts";
import type { ShowEntries } from "./strategy.ts";

export const showNone: ShowEntries = (thread, head, room) =>
  thread.shown().from < room.callFrom
    ? { head, kept: [], from: room.callFrom }
    : showFlat(thread, head, room);
