/**
 * The strategy `none`: of what was said before the call nothing is shown, and of the call as much
 * as fits.
 */
import { showFlat } from "./flat.ts";
import type { ShowEntries } from "./strategy.ts";

export const showNone: ShowEntries = (thread, head, room) =>
  thread.shown().from < room.callFrom
    ? { head, kept: [], from: room.callFrom }
    : showFlat(thread, head, room);
