/**
 * A worker: carries runs whenever the engine says so.
 *
 * 1. It keeps nothing: what it knows is in the database, and any other worker goes on from there.
 * 2. It is ready when the database answers and the engine has a leader for every partition.
 * 3. Told to stop, it takes nothing more, ends what it began, and goes.
 * 4. What one run leaves to itself and fails is said, with the run, and ends no other.
 */
import { bindHost, type HostOptions, type HostPorts } from "@turnseal/host";
import type { RunTiming } from "@turnseal/host/restate";
import type { Stores } from "@turnseal/ports";
import { placeOfError } from "@turnseal/protocol";
import { SLOTS_DEFAULT, TENANT_DEFAULT } from "../defaults.ts";
import { createEngineAdmin, type EngineAdmin } from "../engine/engine-admin.ts";
import { loadPeers, type Peers } from "../engine/load-peers.ts";
import { watchLog } from "../folder/watch-log.ts";
import { hearStrays } from "./hear-strays.ts";
import type { LiveParts, OpenedLive } from "./open-live.ts";
import { serveRuns } from "./serve-runs.ts";
import { openDoor } from "./worker-door.ts";
import { createWorkerLog, type WorkerLog } from "./worker-log.ts";
import { createWorkerMetrics, type WorkerMetrics } from "./worker-metrics.ts";

export interface WorkerOptions extends RunTiming {
  /** Everything that a host is bound from, but what each tenant has of its own. */
  readonly host: Omit<HostOptions, "stores" | keyof LiveParts>;
  /** What is only live, between processes; without it each is on its own. */
  readonly live?: Pick<OpenedLive, "forTenant">;
  readonly tenants?: readonly string[];
  readonly postgres: string;
  /** Refuses a database that can lose what it has acknowledged. */
  readonly production?: boolean;
  readonly withoutStandby?: boolean;
  /** Where it listens; without a port, on one that is free. */
  readonly bind?: string;
  readonly port?: number;
  /** True where several workers share a port, and the system deals connections out among them. */
  readonly sharesPort?: boolean;
  readonly doorPort?: number;
  /** The engines that it listens to. With none, whoever reaches the port can have runs carried. */
  readonly identityKeys: readonly string[];
  readonly slots?: number;
  /** Connections to the database for each tenant. Derived from the slots unless given. */
  readonly connectionsMax?: number;
  /** Where the engine is administered: the worker registers itself there. */
  readonly admin?: string;
  /** How the engine reaches this worker. */
  readonly advertise?: string;
  readonly log?: WorkerLog;
  /** What stands between a tenant's stores and its host, for whoever counts. */
  readonly watch?: (stores: Stores) => Stores;
}

export interface Worker {
  readonly uri: string;
  readonly doorPort: number;
  isReady(): Promise<boolean>;
  /** Answers true when everything that was begun has ended. */
  drain(maxMs: number): Promise<boolean>;
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { bind = "127.0.0.1", port = 0, sharesPort = false, identityKeys } = options;
  const { log = createWorkerLog(() => {}) } = options;
  const peers = await loadPeers();
  if (peers.kind === "missing") throw new Error(`${peers.message}: ${peers.next}`);
  const metrics = createWorkerMetrics();
  const { portsOf, isAnswering, close } = await openTenants(options, { peers, metrics, log });
  const slots = peers.createSlots(options.slots ?? SLOTS_DEFAULT);
  const strays = hearStrays((error, place) => {
    metrics.onStray();
    const at = placeOfError(error);
    log.sayError("tool.stray", error, { ...place, ...(at === undefined ? {} : { place: at }) });
  });
  const handler = peers.createRunEndpoint({
    ...{ portsOf, slots, identityKeys, ...timingOf(options) },
    within: ({ tenant, run }, carry) => strays.within({ tenant, run }, carry),
    onBlocked: (run, { why, what }) => {
      metrics.onBlocked(why);
      log.say("warn", "run.blocked", { run, why, ...(what === undefined ? {} : { what }) });
    },
    onFailed: (run, error) => log.sayError("run.failed", error, { run }),
    onNotice: (level, code) => {
      metrics.onNotice(level);
      if (level === "warn" || level === "error")
        log.say(level, "engine.notice", code === undefined ? {} : { code });
    },
  });
  const server = await serveRuns(handler, { bind, port, sharesPort });
  const uri = options.advertise ?? `http://${bind}:${server.port}`;
  const registration = registerAt(options.admin, uri, log);
  const state = { isDraining: false };
  const isReady = async (): Promise<boolean> =>
    !state.isDraining && (await registration.isKnown()) && (await isAnswering());
  const door = await openDoor({
    ...{ bind, port: options.doorPort ?? 0, isReady },
    renderMetrics: () =>
      metrics.render({
        turnseal_slots_max: slots.max,
        turnseal_slots_in_use: slots.inUse(),
        process_resident_memory_bytes: process.memoryUsage().rss,
      }),
  });
  log.say("info", "worker.started", { uri, door: door.port, slots: slots.max });
  return {
    uri,
    doorPort: door.port,
    isReady,
    drain: async (maxMs) => {
      state.isDraining = true;
      registration.stop();
      log.say("info", "worker.draining", { slotsInUse: slots.inUse() });
      const isEnded = await server.drain(maxMs);
      door.close();
      await close();
      strays.release();
      log.say(isEnded ? "info" : "warn", "worker.stopped", { isEnded });
      return isEnded;
    },
  };
}

interface Tenants {
  readonly portsOf: (tenant: string) => HostPorts | undefined;
  isAnswering(): Promise<boolean>;
  close(): Promise<void>;
}

interface TenantParts {
  readonly peers: Extract<Peers, { kind: "loaded" }>;
  readonly metrics: WorkerMetrics;
  readonly log: WorkerLog;
}

async function openTenants(
  options: WorkerOptions,
  { peers, metrics, log }: TenantParts,
): Promise<Tenants> {
  const { host, live, tenants = [TENANT_DEFAULT], postgres, slots = SLOTS_DEFAULT } = options;
  const { production = false, withoutStandby = false, watch = (stores) => stores } = options;
  const { connectionsMax = Math.min(slots + SPARE_CONNECTIONS, CONNECTIONS_MAX) } = options;
  const opened = new Map<string, HostPorts>();
  const closing: (() => Promise<void>)[] = [];
  const first: (() => Promise<unknown>)[] = [];
  for (const tenant of tenants) {
    const stores = await peers.openPostgresStores({
      ...{ url: postgres, tenant, withoutStandby, connectionsMax },
      mode: production ? "production" : "development",
    });
    const { missing, isOverridden } = stores.durability;
    if (isOverridden) log.say("warn", "store.not-replicated", { missing: missing.join(", ") });
    closing.push(() => stores.close());
    first.push(() => stores.log.readHead(NO_RUN));
    const watched = watchLog(watch(stores), (event) => {
      metrics.onEvent(event);
      log.onEvent(event);
    });
    opened.set(tenant, bindHost({ ...host, ...live?.forTenant(tenant), stores: watched }));
  }
  return {
    portsOf: (tenant) => opened.get(tenant),
    isAnswering: async () => {
      const [ask = async () => {}] = first;
      return ask().then(
        () => true,
        () => false,
      );
    },
    close: async () => {
      for (const close of closing) await close();
    },
  };
}

/** The times that were given. */
function timingOf({ actionMaxMs, sliceMs, inactivityMs }: RunTiming): RunTiming {
  return {
    ...(actionMaxMs === undefined ? {} : { actionMaxMs }),
    ...(sliceMs === undefined ? {} : { sliceMs }),
    ...(inactivityMs === undefined ? {} : { inactivityMs }),
  };
}

/** For what is told and looked at while every slot is in use. */
const SPARE_CONNECTIONS = 4;
const CONNECTIONS_MAX = 64;
const NO_RUN = "00000000-0000-0000-0000-000000000000";
const REGISTER_EVERY_MS = 500;

/** Registers until the engine has taken it: it may be started after its workers. */
function registerAt(address: string | undefined, uri: string, log: WorkerLog) {
  const state = { isKnown: false, isStopped: false };
  const tell = async (admin: EngineAdmin): Promise<void> => {
    for (let attempt = 1; !state.isKnown && !state.isStopped; attempt++) {
      try {
        await admin.register(uri);
        state.isKnown = true;
        log.say("info", "worker.registered", { uri });
      } catch {
        if (attempt === 1) log.say("warn", "engine.unreachable", { uri });
        await new Promise((resume) => setTimeout(resume, REGISTER_EVERY_MS));
      }
    }
  };
  const admin = address === undefined ? undefined : createEngineAdmin(address);
  if (admin !== undefined) void tell(admin);
  return {
    isKnown: async () => admin === undefined || (state.isKnown && (await admin.hasLeaders())),
    stop: () => {
      state.isStopped = true;
    },
  };
}
