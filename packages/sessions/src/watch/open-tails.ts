/** One reader of the log for each run with a watcher here, and none for the others. */
import type { SessionHost } from "../session-host.ts";
import { createPace } from "./pace.ts";
import { openRunTail, type RunTail } from "./run-tail.ts";

export interface TailedRun {
  readonly host: SessionHost;
  readonly tenant: string;
  readonly run: string;
}

export interface OpenTails {
  /** The end of a run's log, for as long as it is not released. */
  hold(watched: TailedRun): { readonly tail: RunTail; release(): void };
  count(): number;
}

export function createTails(looksMax: number): OpenTails {
  const tails = new Map<string, { readonly tail: RunTail; holders: number }>();
  const pace = createPace(looksMax);
  return {
    hold: ({ host, tenant, run }) => {
      const name = `${tenant}/${run}`;
      const held = tails.get(name) ?? { tail: openRunTail({ host, run, pace }), holders: 0 };
      tails.set(name, held);
      held.holders += 1;
      return {
        tail: held.tail,
        release: () => {
          held.holders -= 1;
          if (held.holders > 0) return;
          held.tail.close();
          if (tails.get(name) === held) tails.delete(name);
        },
      };
    },
    count: () => tails.size,
  };
}
