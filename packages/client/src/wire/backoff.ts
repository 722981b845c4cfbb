/** Milliseconds to the first attempt after a failure; each further one waits twice as long. */
export const BACKOFF_MS_DEFAULT = 250;
/** Milliseconds between two attempts, at most, after any failure and any request of the server. */
export const BACKOFF_MS_MAX = 15_000;

/** How long a client waits before it tries again. */
export interface Backoff {
  /** Milliseconds before the first attempt. */
  readonly firstMs?: number;
  /** Milliseconds between two attempts, at most. */
  readonly mostMs?: number;
}

/**
 * How long to wait before an attempt, counted from zero. Half of it is random, so that clients that
 * lost their server at the same moment do not all return at the same moment.
 */
export function backoffMs(
  attempt: number,
  random: number,
  { firstMs = BACKOFF_MS_DEFAULT, mostMs = BACKOFF_MS_MAX }: Backoff = {},
): number {
  const wholeMs = Math.min(mostMs, BACKOFF_MS_MAX, firstMs * 2 ** Math.min(attempt, 30));
  return wholeMs * (0.5 + random / 2);
}

/** The pause in `retry-after`; 0 when it is absent or not in seconds. */
export function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get("retry-after") ?? 0);
  return seconds > 0 ? Math.min(BACKOFF_MS_MAX, seconds * 1_000) : 0;
}

/** Resolves after the time, or at once when the signal is aborted. */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal?.addEventListener("abort", end);
  });
}
