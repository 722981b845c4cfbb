import { WAIT_IN_PLACE_MS_MAX } from "../limits.ts";
import type { Paused } from "../outcome.ts";
import { beNew } from "../resume/be-new.ts";
import type { Frame } from "../resume/frame.ts";
import type { TurnJournalOptions } from "../step/step.ts";
import { waitInPlace } from "./wait-in-place.ts";

/**
 * Waits for a time: a short while in place; for longer, the turn is put down until then. A cancel
 * ends it.
 */
export async function waitUntil(
  { frame, ...options }: TurnJournalOptions & { readonly frame: Frame },
  untilMs: number,
): Promise<Paused | undefined> {
  const { clock, appender, recorded } = options;
  // What followed is recorded no earlier than that: where it is made again it is not waited for
  // again, whatever the clock says there.
  const isOver = (): boolean => appender.lastMs() >= untilMs || frame.isCancelled();
  if (isOver()) return undefined;
  if (!(await beNew({ recorded, frame }))) return { kind: "paused" };
  if (isOver()) return undefined;
  // One of several that is told to stop meanwhile does not keep the others waiting.
  const { stop } = frame.branch;
  const signal = stop === undefined ? options.signal : AbortSignal.any([options.signal, stop]);
  for (;;) {
    const delayMs = untilMs - clock.now();
    if (delayMs <= 0) break;
    if (delayMs > WAIT_IN_PLACE_MS_MAX) return { kind: "paused", untilMs };
    await waitInPlace({ ...options, signal }, delayMs);
    if (signal.aborted || isOver()) return undefined;
    // A timer may fire before its time, and a clock may be put back meanwhile.
  }
  appender.reach(untilMs);
  return undefined;
}
