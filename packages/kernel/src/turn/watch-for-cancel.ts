import type { Clock } from "@turnseal/ports";
import { INBOX_POLL_MS } from "../limits.ts";

export interface CancelWatch {
  readonly clock: Clock;
  /** Takes a waiting cancel into the log, and answers whether there was one. */
  readonly takeCancel: () => Promise<boolean>;
  readonly cancel: AbortController;
}

/**
 * Looks for a cancel while something is waited for, so that it reaches a tool that runs.
 *
 * No look is left behind: a cancel is in the log before whatever follows the wait, so that a resume
 * sees the same order, and nothing is written between the end of a turn and its receipt.
 */
export function watchForCancel({ clock, takeCancel, cancel }: CancelWatch) {
  return async <Value>(acting: Promise<Value>): Promise<Value> => {
    let isOver = false;
    let stop = (): void => {};
    let looking: Promise<void> = Promise.resolve();
    const look = (): void => {
      // A store that does not answer now is asked again; the next append tells whether it is gone
      // for good.
      looking = takeCancel().then(
        (isCancelled) => (isCancelled ? cancel.abort() : again()),
        () => again(),
      );
    };
    const again = (): void => {
      if (!isOver) stop = clock.after(INBOX_POLL_MS, look);
    };
    again();
    try {
      return await acting;
    } finally {
      isOver = true;
      stop();
      await looking;
    }
  };
}
