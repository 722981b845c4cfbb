/**
 * One life of the program, from the opening of its store to its end. A life that is over writes
 * nothing, reads nothing and is called by no timer: as after a kill, only the store is left.
 */
import type { Append, Clock, Stores } from "@turnseal/ports";

/** When a life ends: as the n-th event of a type becomes durable, before or after that. */
export interface CrashPoint {
  readonly when: "before" | "after";
  readonly type: string;
  readonly nth: number;
}

export interface ProgramLife {
  readonly stores: Stores;
  readonly clock: Clock;
  /** Arms a crash; the answer is settled when it happens. */
  crashAt(point: CrashPoint): void;
  /** Settled when the life is over by a crash. */
  readonly crashed: Promise<void>;
  end(): void;
}

export function startLife(stores: Stores, clock: Clock): ProgramLife {
  let isOver = false;
  let armed: CrashPoint | undefined;
  let seen = 0;
  let report = (): void => {};
  const crashed = new Promise<void>((resolve) => {
    report = resolve;
  });
  const timers = new Set<() => void>();
  const end = (): void => {
    isOver = true;
    for (const stop of timers) stop();
  };
  const isDue = ({ events }: Append, when: CrashPoint["when"]): boolean => {
    if (armed === undefined || armed.when !== when) return false;
    seen += events.filter(({ type }) => type === armed?.type).length;
    return seen >= armed.nth;
  };
  const crash = (): Promise<never> => {
    end();
    report();
    return never();
  };
  const living = guardStores(stores, () => isOver);
  return {
    crashed,
    end,
    crashAt: (point) => {
      [armed, seen] = [point, 0];
    },
    stores: {
      ...living,
      log: {
        ...living.log,
        append: async (append) => {
          if (isDue(append, "before")) return crash();
          const answer = await living.log.append(append);
          return isDue(append, "after") ? crash() : answer;
        },
      },
    },
    clock: {
      now: clock.now,
      after: (delayMs, callback) => {
        if (isOver) return () => {};
        const stop = clock.after(delayMs, () => {
          timers.delete(stop);
          callback();
        });
        timers.add(stop);
        return () => {
          timers.delete(stop);
          stop();
        };
      },
    },
  };
}

/** Wraps stores, so that calls never answer once the program's life is over. */
function guardStores(stores: Stores, isOver: () => boolean): Stores {
  const guard = <Port extends object>(port: Port): Port => {
    const guarded: Record<string, unknown> = {};
    for (const [name, method] of Object.entries(port)) {
      guarded[name] = (...given: unknown[]) =>
        isOver() ? never() : (method as (...given: unknown[]) => unknown)(...given);
    }
    return guarded as Port;
  };
  const { log, inbox, blobs, receipts, runs, calls, graphs } = stores;
  return {
    log: guard(log),
    inbox: guard(inbox),
    blobs: guard(blobs),
    receipts: guard(receipts),
    runs: guard(runs),
    ...(calls === undefined ? {} : { calls: guard(calls) }),
    ...(graphs === undefined ? {} : { graphs: guard(graphs) }),
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}
