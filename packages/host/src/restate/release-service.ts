/**
 * The service of one release: takes steps of runs that the promoted release cannot drive.
 *
 * 1. Only the object of a run calls it, and holds the run's key meanwhile: two releases never drive
 *    one run at once.
 * 2. It acts as long as the run is as its caller left it. The caller may have given up since, and
 *    then the run has another epoch.
 */
import { type Context, handlers, service } from "@restatedev/restate-sdk";
import { holdToEpoch } from "./hold-to-epoch.ts";
import {
  ENGINE_OPTIONS,
  findRun,
  noSuchRun,
  type Releases,
  type RunObjectOptions,
  stepFor,
} from "./run-options.ts";
import type { Owed, Queued } from "./step-run.ts";
import { engineTiming } from "./timing.ts";

export interface HandedRun {
  /** The key of the run. */
  readonly key: string;
  readonly epoch: number;
}

/** The name of the service of a release in the engine. */
export function formatReleaseService(release: string): string {
  return `${PREFIX}${release}`;
}

/** The release that a service of the engine is of; undefined for any other service. */
export function parseReleaseService(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

const PREFIX = "Release_";

export function createReleaseService(options: RunObjectOptions, { own }: Pick<Releases, "own">) {
  const { inactivityTimeout, abortTimeout } = engineTiming(options);
  return service({
    name: formatReleaseService(own.name),
    handlers: {
      step: handlers.handler(
        {
          ingressPrivate: true,
          ...{ inactivityTimeout, abortTimeout },
          // A caller joins the message that has not begun yet, and never what one has answered.
          idempotencyRetention: 0,
        },
        async (ctx: Context, { key, epoch }: HandedRun): Promise<Owed | Queued | null> => {
          const { attemptCompletedSignal: attempt } = ctx.request();
          return ctx.run("step", async () => {
            const found = await findRun(key, options);
            if ("keptAtMs" in found) throw noSuchRun();
            const head = await found.ports.stores.log.readHead(found.run);
            if (head?.epoch !== epoch) return null;
            return stepFor(holdToEpoch(found, epoch), options, { attempt, from: "release" });
          });
        },
      ),
    },
    options: ENGINE_OPTIONS,
  });
}
