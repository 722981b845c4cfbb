import type { Clock } from "@turnseal/ports";
import { INBOX_POLL_MS } from "../limits.ts";

export interface CancelWatch {
  readonly clock: Clock;
  /**
   * Takes a waiting cancel into the log, and answers whether there was one. Feedback for running
   * prompts may be taken with it.
   */
  readonly takeCancel: () => Promise<boolean>;
  readonly cancel: AbortController;
  /** Told of a look that failed: whether there is a cancel is not known. */
  readonly onFailed?: ((error: unknown) => void) | undefined;
}

/**
 * Looks for a cancel while an action runs, so that it reaches a running tool. Only one look is made
 * at a time: two could take in one message twice.
 *
 * Every look ends before the watch does. So a cancel is in the log before the next event, a resume
 * sees the same order, and nothing is written between the end of a turn and its receipt. If the
 * last look failed, another one follows first.
 */
export function watchForCancel({ clock, takeCancel, cancel, onFailed }: CancelWatch) {
  let [waiting, isLooking, isUnknown] = [0, false, false];
  let stop = (): void => {};
  let looking: Promise<void> = Promise.resolve();
  const take = async (): Promise<void> => {
    // A store that does not answer now is asked again; the next append shows whether it is gone for
    // good.
    isLooking = true;
    try {
      if (await takeCancel()) cancel.abort();
      isUnknown = false;
    } catch (error) {
      isUnknown = true;
      onFailed?.(error);
    }
    isLooking = false;
  };
  const look = (): void => {
    looking = take().then(again);
  };
  const again = (): void => {
    stop();
    if (waiting > 0 && !isLooking && !cancel.signal.aborted)
      stop = clock.after(INBOX_POLL_MS, look);
  };
  return async <Value>(acting: Promise<Value>): Promise<Value> => {
    waiting += 1;
    if (waiting === 1) again();
    try {
      return await acting;
    } finally {
      waiting -= 1;
      if (waiting === 0) stop();
      await looking;
      if (isUnknown && !isLooking) {
        looking = take();
        await looking;
      }
    }
  };
}
