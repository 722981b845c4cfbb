/**
 * Checks the dependencies of a process regularly, and logs each change once: when something goes
 * away, and when it is back. Metrics can read the state at any time.
 */
export interface HealthParts {
  /** The name of the process in the log. */
  readonly who: "worker" | "server";
  /** The trouble of the database; throws if it does not answer. Absent without a database. */
  readonly findTrouble?: (() => Promise<string | undefined>) | undefined;
  /** Why it should not be relied on now. */
  readonly whyUnready: () => Promise<string | undefined>;
  /** Absent if no Redis was named. */
  readonly hasRedis?: (() => boolean) | undefined;
  readonly log: { say(level: "info" | "warn", what: string, facts: { why?: string }): void };
}

/** The result of the last look; undefined before the first one. */
export interface Health {
  isReady(): boolean | undefined;
  hasStore(): boolean | undefined;
  isStandbyMissing(): boolean | undefined;
  hasRedis(): boolean | undefined;
}

export interface HealthWatch extends Health {
  /** Looks now, besides when it would. */
  look(): Promise<void>;
  close(): void;
}

/** How often it is looked. */
export const HEALTH_EVERY_MS = 10_000;

export function watchHealth(parts: HealthParts): HealthWatch {
  const { who, log, findTrouble, whyUnready, hasRedis } = parts;
  const store = createChange(log, { gone: "store.away", back: "store.back" });
  const standby = createChange(log, { gone: "standby.gone", back: "standby.back" });
  const redis = createChange(log, { gone: "redis.away", back: "redis.back" });
  const ready = createChange(log, { gone: `${who}.unready`, back: `${who}.ready` });
  const look = async (): Promise<void> => {
    const found = await findTrouble?.().then(
      (trouble) => ({ trouble }),
      () => undefined,
    );
    const why = await whyUnready();
    // A process that ends closes the database itself: that is not logged.
    if (again.isClosed()) return;
    if (hasRedis !== undefined) redis.tell(hasRedis());
    if (findTrouble !== undefined) store.tell(found !== undefined);
    if (found !== undefined) standby.tell(found.trouble === undefined, found.trouble);
    ready.tell(why === undefined, why);
  };
  const again = repeat(look, HEALTH_EVERY_MS);
  return {
    isReady: ready.isGood,
    hasStore: store.isGood,
    isStandbyMissing: () => (standby.isGood() === undefined ? undefined : !standby.isGood()),
    hasRedis: redis.isGood,
    look,
    close: again.close,
  };
}

/** One thing that is there or is not. */
function createChange(
  log: HealthParts["log"],
  names: { readonly gone: string; readonly back: string },
) {
  const state: { isGood?: boolean; why?: string | undefined } = {};
  return {
    isGood: (): boolean | undefined => state.isGood,
    tell: (isGood: boolean, why?: string): void => {
      const isSame = state.isGood === isGood && state.why === why;
      // A part that is there from the start is not logged.
      const isNews = !isSame && (state.isGood !== undefined || !isGood);
      Object.assign(state, { isGood, why });
      const facts = why === undefined ? {} : { why };
      if (isNews) log.say(isGood ? "info" : "warn", isGood ? names.back : names.gone, facts);
    },
  };
}

interface Repeating {
  isClosed(): boolean;
  close(): void;
}

/** Does something now and then, never twice at once, until it is closed. */
export function repeat(work: () => Promise<void>, everyMs: number): Repeating {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const next = (): void => {
    if (isClosed) return;
    timer = setTimeout(
      () =>
        void work()
          .catch(() => {})
          .then(next),
      everyMs,
    );
    // The timer must not keep the process alive.
    timer.unref();
  };
  void work()
    .catch(() => {})
    .then(next);
  return {
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
