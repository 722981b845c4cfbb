/** Plans when runs are looked at again, each once. */
export interface Looks {
  /** In the place of what was planned for the run. */
  plan(run: string, atMs: number): void;
  drop(run: string): void;
  /** Drops everything, and plans nothing more. */
  close(): void;
}

export interface LookOptions {
  readonly onDue: (run: string) => void;
  /** True when a cancel waits for the run: it is due then, whatever its time. */
  readonly hasCancel?: ((run: string) => Promise<boolean>) | undefined;
}

/** A run that waits for its time is asked so often whether somebody has cancelled it. */
const CANCEL_POLL_MS = 5_000;

export function planLooks({ onDue, hasCancel }: LookOptions): Looks {
  const timers = new Map<string, NodeJS.Timeout>();
  let isClosed = false;
  const drop = (run: string): void => {
    clearTimeout(timers.get(run));
    timers.delete(run);
  };
  const plan = (run: string, atMs: number): void => {
    drop(run);
    if (isClosed) return;
    const delayMs = Math.min(Math.max(atMs - Date.now(), 0), CANCEL_POLL_MS);
    timers.set(run, setTimeout(() => void look(run, atMs), delayMs).unref());
  };
  const look = async (run: string, atMs: number): Promise<void> => {
    const timer = timers.get(run);
    // A store that is away is asked again.
    const isDue = Date.now() >= atMs || (await hasCancel?.(run).catch(() => false)) === true;
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
