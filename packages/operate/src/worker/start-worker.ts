/**
 * A worker: drives runs when the engine calls.
 *
 * 1. It keeps nothing: what it knows is in the database, and any other worker goes on from there.
 * 2. It says of itself whether it is used, and what keeps it from being so. It never registers: a
 *    start, or a start again, changes nothing of where runs go.
 * 3. When it is stopped, it takes nothing more, ends what it began, and exits.
 * 4. If one run fails, the error is logged with the run, and ends no other.
 * 5. A tool that stops the event loop ends the worker, and the log says which.
 */
import { describeRelease, type Release } from "@turnseal/host";
import type { RunTiming, Slots } from "@turnseal/host/restate";
import { SLOTS_DEFAULT } from "@turnseal/runtime";
import { createEngineAdmin, loadPeers, type Peers } from "@turnseal/runtime/engine";
import { recentReleases } from "@turnseal/runtime/folder";
import { openDoor } from "../metrics/door.ts";
import { REDIS_AWAY } from "../metrics/server-metrics.ts";
import { type HealthParts, watchHealth } from "../metrics/watch-health.ts";
import { findUnready } from "./find-unready.ts";
import { serveEngine } from "./serve-engine.ts";
import { tellNotices } from "./tell-notices.ts";
import { openTenants, type Tenants } from "./tenants/open-tenants.ts";
import { type Acting, watchActing } from "./watch/watch-acting.ts";
import { watchOverdue } from "./watch/watch-overdue.ts";
import { type ReleasesWatch, watchReleases } from "./watch/watch-releases.ts";
import { createWorkerLog, type WorkerLog } from "./worker-log.ts";
import { createWorkerMetrics, type WorkerMetrics } from "./worker-metrics.ts";
import type { WorkerOptions } from "./worker-options.ts";

export interface Worker {
  readonly uri: string;
  /** The release that it can execute, as it is registered. */
  readonly release: Release;
  readonly doorPort: number;
  isReady(): Promise<boolean>;
  /** Why it should not be relied on now; undefined when it may be. */
  whyUnready(): Promise<string | undefined>;
  /** Returns true if all begun work has ended. */
  drain(maxMs: number): Promise<boolean>;
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { bind = "127.0.0.1" } = options;
  const { log = createWorkerLog(() => {}) } = options;
  const peers = await loadPeers();
  if (peers.kind === "missing") throw new Error(`${peers.message}: ${peers.next}`);
  const metrics = createWorkerMetrics();
  const acting = watchActing({ stallMaxMs: options.stallMaxMs ?? 0, log, metrics });
  const { nameTools } = acting;
  const opening = openTenants(options, { peers, metrics, log, nameTools });
  opening.catch(acting.close);
  const tenants = await opening;
  const { weightOf, close } = tenants;
  const release = describeRelease(tenants.first);
  const slots = metrics.watchSlots(peers.createSlots(options.slots ?? SLOTS_DEFAULT, { weightOf }));
  const served = { acting, slots, log, metrics, release };
  const handler = createHandler(options, peers, { ...served, ...tenants });
  const server = await serveEngine(handler, options, log);
  const { refusals } = server;
  const uri = options.advertise ?? `http://${bind}:${server.port}`;
  const admin = options.admin === undefined ? undefined : createEngineAdmin(options.admin);
  const state = { isDraining: false };
  const readiness = { peers, tenants, release, uri, admin, refusals };
  const whyUnreadyNow = () => (state.isDraining ? "the worker drains" : undefined);
  const whyUnready = async () => whyUnreadyNow() ?? (await findUnready(readiness));
  const releases = admin && watchReleases({ ...tenants, admin, peers });
  const hasRedis = options.live?.isUp;
  const door = await openDoor({
    ...{ bind, port: options.doorPort ?? 0, whyUnready, renderMetrics: metrics.render },
    ...{ whyUnreadyNow, whyAway: () => (refusals.isAway() ? refusals.whyRefused() : undefined) },
    listNotes: () => [
      ...(hasRedis?.() === false ? [REDIS_AWAY] : []),
      ...(releases?.list() ?? []).flatMap(([, problem]) => problem ?? []),
    ],
  });
  const { name } = release;
  log.say("info", "worker.started", { uri, door: door.port, slots: slots.max, release: name });
  const watches = watchAll({ tenants, metrics, log, whyUnready, hasRedis, releases });
  return {
    uri,
    release,
    doorPort: door.port,
    isReady: async () => (await whyUnready()) === undefined,
    whyUnready,
    drain: async (maxMs) => {
      state.isDraining = true;
      watches.close();
      log.say("info", "worker.draining", { slotsInUse: slots.inUse() });
      const isEnded = await server.drain(maxMs);
      door.close();
      await close();
      acting.close();
      log.say(isEnded ? "info" : "warn", "worker.stopped", { isEnded });
      return isEnded;
    },
  };
}

interface ServedParts extends Pick<Tenants, "portsOf" | "capOf" | "listReleases"> {
  readonly acting: Acting;
  readonly slots: Slots;
  readonly log: WorkerLog;
  readonly metrics: WorkerMetrics;
  readonly release: Release;
}

/** Answers the engine, and tells what came of it. */
function createHandler(
  options: WorkerOptions,
  peers: Extract<Peers, { kind: "loaded" }>,
  { portsOf, capOf, listReleases, acting, slots, log, metrics, release }: ServedParts,
) {
  const { identityKeys } = options;
  const tell = tellNotices(log);
  return peers.createRunEndpoint({
    ...{ portsOf, capOf, slots, identityKeys, ...timingOf(options) },
    within: ({ tenant, run }, carry) => acting.within({ tenant, run }, carry),
    releases: { own: release, list: recentReleases(listReleases) },
    onBlocked: ({ tenant, run }, { why, what }) => {
      metrics.onBlocked(why);
      // The log calls every message `what`, so this field has another name.
      const missing = what === undefined ? {} : { missing: what };
      log.say("warn", "run.blocked", { tenant, run, why, ...missing });
    },
    onQueued: metrics.onQueued,
    onFailed: ({ tenant, run }, error) => log.sayError("run.failed", error, { tenant, run }),
    onNotice: (notice) => {
      metrics.onNotice(notice.level);
      tell(notice);
    },
  });
}

type WatchedParts = Pick<HealthParts, "whyUnready" | "hasRedis"> & {
  readonly tenants: Tenants;
  readonly metrics: WorkerMetrics;
  readonly log: WorkerLog;
  readonly releases: ReleasesWatch | undefined;
};

/** Looks at what the worker depends on, and at what is overdue, until it is closed. */
function watchAll({ tenants, metrics, releases, ...parts }: WatchedParts): { close(): void } {
  const health = watchHealth({ ...parts, who: "worker", findTrouble: tenants.findTrouble });
  const overdue = watchOverdue(tenants);
  metrics.watchHealth(health);
  metrics.watchOverdue(overdue);
  if (releases !== undefined) metrics.watchReleases(releases);
  return {
    close: () => {
      health.close();
      overdue.close();
      releases?.close();
    },
  };
}

/** The times that are set. */
function timingOf({ actionMaxMs, sliceMs, inactivityMs }: RunTiming): RunTiming {
  return {
    ...(actionMaxMs === undefined ? {} : { actionMaxMs }),
    ...(sliceMs === undefined ? {} : { sliceMs }),
    ...(inactivityMs === undefined ? {} : { inactivityMs }),
  };
}
