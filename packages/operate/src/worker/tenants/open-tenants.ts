/**
 * The tenants that a worker serves: the named ones, or all in the database. Each has a host of its
 * own, and all share its connections.
 */
import type {
  DueRun,
  PostgresPool,
  RegisteredRelease,
  RegisteredTenant,
  StoredTenant,
} from "@turnseal/adapters/postgres";
import { bindHost, type HostOptions, type HostPorts } from "@turnseal/host";
import type { RunObjectOptions } from "@turnseal/host/restate";
import { StoreError, type Stores } from "@turnseal/ports";
import { SLOTS_DEFAULT, TENANT_DEFAULT } from "@turnseal/runtime";
import type { Peers } from "@turnseal/runtime/engine";
import type { Acting } from "../watch/watch-acting.ts";
import { watchOutbox } from "../watch/watch-outbox.ts";
import { logRuns, type WorkerLog } from "../worker-log.ts";
import type { WorkerMetrics } from "../worker-metrics.ts";
import type { WorkerOptions } from "../worker-options.ts";
import { createRecent } from "./create-recent.ts";
import { createNoteKey, type NoteKey, noteInTime, noteParts } from "./note-parts.ts";
import { recentPauses } from "./recent-pauses.ts";
import type { OwnParts, TenantFiles } from "./tenant-files.ts";
import { createTurnLimits } from "./turn-limits.ts";
import { watchFiles } from "./watch-files.ts";

export interface Tenants {
  readonly portsOf: RunObjectOptions["portsOf"];
  /** The weight of a tenant's share of the slots, by the latest read of the database. */
  readonly weightOf: (tenant: string) => number;
  /** How many of its steps are taken at once by all workers; undefined for as many as come. */
  readonly capOf: (tenant: string) => number | undefined;
  /** The host of one of them: all have the same loops. */
  readonly first: HostPorts;
  listReleases(): Promise<readonly RegisteredRelease[]>;
  /** The trouble of the database; throws if it does not answer. */
  findTrouble(): Promise<string | undefined>;
  /** A tenant that was requested recently, and is not served here. */
  findUnserved(): string | undefined;
  /** The served tenants, in the order of their names: a page after one. */
  listServed(after: string): Promise<readonly string[]>;
  /** Overdue runs of a tenant at that time: one page. */
  listDue(tenant: string, until: string): Promise<readonly DueRun[]>;
  close(): Promise<void>;
}

export interface TenantParts {
  readonly peers: Extract<Peers, { kind: "loaded" }>;
  readonly metrics: WorkerMetrics;
  readonly log: WorkerLog;
  /** Notes which tool is executed. */
  readonly nameTools?: Acting["nameTools"];
}

/** For messages and looks while every slot is in use. */
const SPARE_CONNECTIONS = 4;
const CONNECTIONS_MAX = 64;
/** How long a request for a tenant is remembered. */
const UNSERVED_MS = 10 * 60 * 1000;
/** How often a tenant with unreadable limits is logged. */
const UNREADABLE_SAID_MS = 10 * 60 * 1000;

export async function openTenants(
  options: WorkerOptions,
  { peers, metrics, log, nameTools = (ports) => ports }: TenantParts,
): Promise<Tenants> {
  const { host, live, postgres, slots = SLOTS_DEFAULT } = options;
  const { production = false, withoutStandby = false, watch = (stores) => stores } = options;
  const { observers = [] } = options;
  const { connectionsMax = Math.min(slots + SPARE_CONNECTIONS, CONNECTIONS_MAX) } = options;
  const pool = await peers.openPostgresPool({
    ...{ url: postgres, withoutStandby, connectionsMax, onAsked: metrics.store.onAsked },
    mode: production ? "production" : "development",
  });
  metrics.store.watchUse(pool.readUse);
  const { missing, isOverridden } = pool.durability;
  if (isOverridden) log.say("warn", "store.not-replicated", { missing: missing.join(", ") });
  const noteKey = createNoteKey(pool, log);
  await noteParts(pool, host, noteKey);
  const pausesOf = recentPauses(pool);
  const shares = createRecent<Pick<RegisteredTenant, "weight" | "limits">>();
  const sayUnreadable = createUnreadable(log);
  const readTenant: PostgresPool["readTenant"] = async (tenant) => {
    const read = await pool.readTenant(tenant);
    if (read?.state === "unreadable") sayUnreadable(tenant);
    else if (read !== undefined) shares.set(tenant, read);
    return read;
  };
  const known = recentTenants({ readTenant });
  const outbox = watchOutbox();
  const bind: Bind = (tenant, own) => {
    const recentLimits = () => shares.get(tenant)?.limits;
    const readLimits = async () => {
      await known(tenant);
      return recentLimits() ?? limitsOf(await readTenant(tenant));
    };
    const turnLimits = createTurnLimits({ readLimits, recentLimits, quota: pool.quotaOf(tenant) });
    const stores = watch(pool.forTenant(tenant, turnLimits));
    const heard = { tenant, observers: [metrics.observer, logRuns(log), ...observers] };
    const bound = { stores, pauses: pausesOf(tenant), turnLimits, ...reportTo(log, tenant) };
    const ports = bindHost({ ...host, ...own, ...live?.forTenant(tenant), ...heard, ...bound });
    outbox.add(tenant, ports.observed);
    return nameTools(ports);
  };
  const serve = serveWith(createHosts(bind), watchFiles(options, log), noteInTime(noteKey, log));
  const { tenants } = options;
  const states = tenants === undefined ? known : fixedTenants(tenants, known);
  const unserved = createUnserved();
  return {
    portsOf: async (tenant) => {
      const state = await states(tenant);
      if (state !== undefined) {
        unserved.forget(tenant);
        return serve(tenant, state);
      }
      return unserved.note(tenant, pool.forTenant(tenant));
    },
    weightOf: (tenant) => shares.get(tenant)?.weight ?? 1,
    capOf: (tenant) => shares.get(tenant)?.limits.concurrency,
    first: bind(tenants?.[0] ?? TENANT_DEFAULT),
    listReleases: () => pool.listReleases(),
    findTrouble: async () => (await pool.findTrouble())?.what,
    findUnserved: unserved.find,
    listServed: async (after) =>
      tenants === undefined ? pool.listTenants(after) : tenants.filter((name) => name > after),
    listDue: (tenant, until) => pool.forTenant(tenant).lists.listDue(until),
    close: () => {
      outbox.close();
      return pool.close();
    },
  };
}

/** Remembers the last tenant that was requested and is not served here. */
function createUnserved() {
  let last: { readonly tenant: string; readonly atMs: number } | undefined;
  return {
    note: (tenant: string, { log }: Pick<Stores, "log">): TenantPorts => {
      last = { tenant, atMs: Date.now() };
      const hasRun = async (run: string) => (await log.readHead(run)) !== undefined;
      return { kind: "unserved", nowMs: last.atMs, hasRun };
    },
    forget: (tenant: string): void => {
      if (last?.tenant === tenant) last = undefined;
    },
    find: () =>
      last !== undefined && Date.now() - last.atMs < UNSERVED_MS ? last.tenant : undefined,
  };
}

/** Says, now and then, that a tenant waits: what it may take is not known here. */
function createUnreadable(log: WorkerLog): (tenant: string) => void {
  const said = createRecent<number>();
  return (tenant) => {
    const nowMs = Date.now();
    if (nowMs - (said.get(tenant) ?? 0) < UNREADABLE_SAID_MS) return;
    said.set(tenant, nowMs);
    log.say("warn", "tenant.unreadable", { tenant });
  };
}

/** A turn that is under way asks, too: a limit that is not known is not left out. */
function limitsOf(tenant: StoredTenant | undefined): RegisteredTenant["limits"] {
  if (tenant?.state === "unreadable")
    throw new StoreError("STORE_CORRUPT", `tenant ${tenant.name} has limits that are unknown`);
  return tenant?.limits ?? {};
}

/** Whether it is served; undefined if this worker has nothing to do with the tenant. */
type FindState = (tenant: string) => Promise<StoredTenant["state"] | undefined>;

/** The tenants from the start of the worker; their limits come from the database. */
export function fixedTenants(named: readonly string[], known: FindState): FindState {
  return async (tenant) => {
    if (!named.includes(tenant)) return undefined;
    return (await known(tenant)) === "unreadable" ? "unreadable" : "active";
  };
}

/** How long the database's answer on a tenant is valid. */
export const TENANT_KEPT_MS = 3_000;

/** All tenants in the database, as of some seconds ago. */
export function recentTenants(
  pool: Pick<PostgresPool, "readTenant">,
  now: () => number = Date.now,
): FindState {
  const known = createRecent<{ readonly atMs: number; readonly state: ReturnType<FindState> }>();
  return (tenant) => {
    const found = known.get(tenant);
    if (found !== undefined && now() - found.atMs < TENANT_KEPT_MS) return found.state;
    const state = pool.readTenant(tenant).then((read) => read?.state);
    // A failed read is not kept: the database may be back at the next one.
    state.catch(() => known.delete(tenant));
    known.set(tenant, { atMs: now(), state });
    return state;
  };
}

type TenantPorts = Awaited<ReturnType<RunObjectOptions["portsOf"]>>;

/**
 * Without its own files, or with unknown limits, a tenant begins nothing: its messages are stored,
 * and wait.
 */
function serveWith(hosts: Bind, findOwn: TenantFiles["find"], noteOwn: NoteKey) {
  return async (tenant: string, state: StoredTenant["state"]): Promise<TenantPorts> => {
    const own = await findOwn(tenant);
    if (own.kind === "refused") return { kind: "suspended", ports: hosts(tenant) };
    if (own.kind === "own") await noteOwn(tenant, own.parts.signer);
    const ports = hosts(tenant, own.kind === "own" ? own.parts : undefined);
    return { kind: state === "active" ? "served" : "suspended", ports };
  };
}

type Bind = (tenant: string, own?: OwnParts) => HostPorts;

/** Hosts are made when they are needed, and again when what is the tenant's own is another. */
function createHosts(bind: Bind): Bind {
  const opened = createRecent<{ readonly own: OwnParts | undefined; readonly ports: HostPorts }>();
  return (tenant, own) => {
    const last = opened.get(tenant);
    const host = last?.own === own && last !== undefined ? last : { own, ports: bind(tenant, own) };
    opened.set(tenant, host);
    return host.ports;
  };
}

type Reports = Required<Pick<HostOptions, "onLookFailed" | "onObserverFailed">>;

/** Logs what failed beside the runs of a tenant. */
function reportTo(log: WorkerLog, tenant: string): Reports {
  return {
    onLookFailed: (run, error) => log.sayError("run.look-failed", error, { tenant, run }),
    onObserverFailed: (observer, error) =>
      log.sayError("observer.failed", error, { tenant, observer }),
  };
}
