/** Looks when woken, and from time to time when not: ever more seldom while nothing happens. */
export interface Lookout {
  wake(): void;
  /** Looks now; rejects when that is not possible. */
  look(): Promise<void>;
  close(): void;
}

export interface LookoutOptions {
  /** Answers whether anything was new, or that nothing will be any more. */
  readonly look: () => Promise<"moved" | "still" | "done">;
  /** The first look comes after so long, each further one after twice that, up to the last. */
  readonly firstMs: number;
  readonly lastMs: number;
}

export function createLookout({ look, firstMs, lastMs }: LookoutOptions): Lookout {
  let [isClosed, isStale, waitMs] = [false, false, firstMs];
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const lookOn = async (): Promise<void> => {
    clearTimeout(timer);
    while (isStale && !isClosed) {
      isStale = false;
      const found = await look();
      if (found === "moved") waitMs = firstMs;
      if (found === "done") isClosed = true;
    }
  };
  const lookNow = (): Promise<void> => {
    isStale = true;
    if (isClosed) return Promise.resolve();
    // One at a time: calls in between share a second look.
    looking ??= lookOn().finally(() => {
      looking = undefined;
      plan();
    });
    return looking;
  };
  // A store that fails is asked again at the next time.
  const wake = (): void => void lookNow().catch(() => {});
  const plan = (): void => {
    if (isClosed) return;
    timer = setTimeout(wake, waitMs);
    timer.unref();
    waitMs = Math.min(waitMs * 2, lastMs);
  };
  return {
    wake,
    look: lookNow,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
