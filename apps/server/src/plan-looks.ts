/** Plans when runs are looked at again, each once. */
export interface Looks {
  /** In the place of what was planned for the run; it may wait for no time at all. */
  plan(run: string, atMs: number): void;
  drop(run: string): void;
  /** Drops everything, and plans nothing more. */
  close(): void;
}

export interface LookOptions {
  readonly onDue: (run: string) => void;
  /** True when something was said to the run: it is due then, whatever its time. */
  readonly isTold?: ((run: string) => Promise<boolean>) | undefined;
}

/** A run that waits is asked so often whether somebody has told it something. */
const POLL_MS = 2_000;
/** However many wait, no more are asked in a second than this leaves room for. */
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
    // A store that is away is asked again.
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
