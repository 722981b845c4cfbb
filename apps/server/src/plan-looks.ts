/** Plans the next look at each run. */
export interface Looks {
  /** Replaces the plan for the run. A time in the past is due at once. */
  plan(run: string, atMs: number): void;
  drop(run: string): void;
  /** Drops everything, and plans nothing more. */
  close(): void;
}

export interface LookOptions {
  readonly onDue: (run: string) => void;
  /** Returns true when the inbox of the run has a message: then it is due at once. */
  readonly isTold?: ((run: string) => Promise<boolean>) | undefined;
}

/** How often the inbox of a waiting run is polled. */
const POLL_MS = 2_000;
/** Spaces the polls: the more runs wait, the less often each is polled. */
const POLL_EACH_MS = 10;

export function planLooks({ onDue, isTold }: LookOptions): Looks {
  const timers = new Map<string, NodeJS.Timeout>();
  let isClosed = false;
  const drop = (run: string): void => {
    clearTimeout(timers.get(run));
    timers.delete(run);
  };
  const plan = (run: string, atMs: number): void => {
    drop(run);
    if (isClosed) return;
    const pollMs = Math.max(POLL_MS, timers.size * POLL_EACH_MS);
    const delayMs = Math.min(Math.max(atMs - Date.now(), 0), pollMs);
    timers.set(run, setTimeout(() => void look(run, atMs), delayMs).unref());
  };
  const look = async (run: string, atMs: number): Promise<void> => {
    const timer = timers.get(run);
    // A store that fails is asked again later.
    const isDue = Date.now() >= atMs || (await isTold?.(run).catch(() => false)) === true;
    if (timers.get(run) !== timer) return;
    if (!isDue) return plan(run, atMs);
    drop(run);
    onDue(run);
  };
  return {
    plan,
    drop,
    close: () => {
      isClosed = true;
      for (const run of [...timers.keys()]) drop(run);
    },
  };
}
