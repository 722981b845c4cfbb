import { WAIT_IN_PLACE_MS_MAX } from "../limits.ts";
import type { Paused } from "../outcome.ts";
import { awaitReplay } from "../resume/await-replay.ts";
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
  // The next recorded event is not earlier than that. So a resume does not wait again, even if its
  // clock is behind.
  const isOver = (): boolean => appender.lastMs() >= untilMs || frame.isCancelled();
  if (isOver()) return undefined;
  if (!(await awaitReplay({ recorded, frame }))) return { kind: "paused" };
  if (isOver()) return undefined;
  // A part that is stopped meanwhile does not keep the others waiting.
  const { stop } = frame.branch;
  const { control } = options;
  const signal = stop === undefined ? control.signal : AbortSignal.any([control.signal, stop]);
  for (;;) {
    const delayMs = untilMs - clock.now();
    if (delayMs <= 0) break;
    if (delayMs > WAIT_IN_PLACE_MS_MAX) return { kind: "paused", untilMs };
    await waitInPlace({ ...options, control: { ...control, signal } }, delayMs);
    if (signal.aborted || isOver()) return undefined;
    // A timer may fire early, and a clock may be set back meanwhile.
  }
  appender.reach(untilMs);
  return undefined;
}
