/**
 * The tenants that a worker serves: those that it was given, or whoever is in the database. Each
 * has a host of its own, and all share its connections.
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
import { StoreError } from "@turnseal/ports";
import { SLOTS_DEFAULT, TENANT_DEFAULT } from "../defaults.ts";
import type { Peers } from "../engine/load-peers.ts";
import { watchLog } from "../folder/watch-log.ts";
import { createRecent } from "./create-recent.ts";
import { createNoteKey, type NoteKey, noteInTime, noteParts } from "./note-parts.ts";
import { recentPauses } from "./recent-pauses.ts";
import type { OwnParts, TenantFiles } from "./tenant-files.ts";
import { createTurnLimits } from "./turn-limits.ts";
import type { Acting } from "./watch-acting.ts";
import { watchFiles } from "./watch-files.ts";
import type { WorkerLog } from "./worker-log.ts";
import type { WorkerMetrics } from "./worker-metrics.ts";
import type { WorkerOptions } from "./worker-options.ts";

export interface Tenants {
  readonly portsOf: RunObjectOptions["portsOf"];
  /** How much of the slots a tenant gets, as the database said last. */
  readonly weightOf: (tenant: string) => number;
  /** How many of its steps are taken at once by all workers; undefined for as many as come. */
  readonly capOf: (tenant: string) => number | undefined;
  /** The host of one of them: all have the same loops. */
  readonly first: HostPorts;
  listReleases(): Promise<readonly RegisteredRelease[]>;
  /** What is wrong with the database; throws where it does not answer. */
  findTrouble(): Promise<string | undefined>;
  /** A tenant that was asked for of late, and is not served here. */
  findUnserved(): string | undefined;
  /** Whom it serves, in the order of their names: a page after one. */
  listServed(after: string): Promise<readonly string[]>;
  /** Runs of a tenant that somebody should have looked at by then: one page. */
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

/** For what is told and looked at while every slot is in use. */
const SPARE_CONNECTIONS = 4;
const CONNECTIONS_MAX = 64;
/** How long it is remembered that a tenant was asked for. */
const UNSERVED_MS = 10 * 60 * 1000;
/** How often it is said that a tenant waits because its limits are unknown. */
const UNREADABLE_SAID_MS = 10 * 60 * 1000;

export async function openTenants(
  options: WorkerOptions,
  { peers, metrics, log, nameTools = (ports) => ports }: TenantParts,
): Promise<Tenants> {
  const { host, live, postgres, slots = SLOTS_DEFAULT } = options;
  const { production = false, withoutStandby = false, watch = (stores) => stores } = options;
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
  const bind: Bind = (tenant, own) => {
    const recentLimits = () => shares.get(tenant)?.limits;
    const readLimits = async () => {
      await known(tenant);
      return recentLimits() ?? limitsOf(await readTenant(tenant));
    };
    const turnLimits = createTurnLimits({ readLimits, recentLimits, quota: pool.quotaOf(tenant) });
    const told = hearRuns(tenant, { metrics, log });
    const watched = watchLog(watch(pool.forTenant(tenant, turnLimits)), told.onEvent);
    const { onLookFailed } = told;
    const bound = { stores: watched, pauses: pausesOf(tenant), turnLimits, onLookFailed };
    return nameTools(bindHost({ ...host, ...own, ...live?.forTenant(tenant), ...bound }));
  };
  const serve = serveWith(createHosts(bind), watchFiles(options, log), noteInTime(noteKey, log));
  const { tenants } = options;
  const states = tenants === undefined ? known : fixedTenants(tenants, known);
  let unserved: { readonly tenant: string; readonly atMs: number } | undefined;
  return {
    portsOf: async (tenant) => {
      const state = await states(tenant);
      if (state !== undefined && unserved?.tenant === tenant) unserved = undefined;
      if (state !== undefined) return serve(tenant, state);
      const nowMs = Date.now();
      unserved = { tenant, atMs: nowMs };
      const { log: events } = pool.forTenant(tenant);
      const hasRun = async (run: string) => (await events.readHead(run)) !== undefined;
      return { kind: "unserved", nowMs, hasRun };
    },
    weightOf: (tenant) => shares.get(tenant)?.weight ?? 1,
    capOf: (tenant) => shares.get(tenant)?.limits.concurrency,
    first: bind(tenants?.[0] ?? TENANT_DEFAULT),
    listReleases: () => pool.listReleases(),
    findTrouble: async () => (await pool.findTrouble())?.what,
    findUnserved: () =>
      unserved !== undefined && Date.now() - unserved.atMs < UNSERVED_MS
        ? unserved.tenant
        : undefined,
    listServed: async (after) =>
      tenants === undefined ? pool.listTenants(after) : tenants.filter((name) => name > after),
    listDue: (tenant, until) => pool.forTenant(tenant).lists.listDue(until),
    close: () => pool.close(),
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

/** Whether it is served; undefined where this worker has nothing to do with the tenant. */
type FindState = (tenant: string) => Promise<StoredTenant["state"] | undefined>;

/** Those that were named when the worker was started; their limits are those of the database. */
export function fixedTenants(named: readonly string[], known: FindState): FindState {
  return async (tenant) => {
    if (!named.includes(tenant)) return undefined;
    return (await known(tenant)) === "unreadable" ? "unreadable" : "active";
  };
}

/** How long it is relied on what the database said of a tenant. */
export const TENANT_KEPT_MS = 3_000;

/** Everybody whom the database names, as it was some seconds ago. */
export function recentTenants(
  pool: Pick<PostgresPool, "readTenant">,
  now: () => number = Date.now,
): FindState {
  const known = createRecent<{ readonly atMs: number; readonly state: ReturnType<FindState> }>();
  return (tenant) => {
    const found = known.get(tenant);
    if (found !== undefined && now() - found.atMs < TENANT_KEPT_MS) return found.state;
    const state = pool.readTenant(tenant).then((read) => read?.state);
    // Whoever asks next is answered anew: a database that was away may be back.
    state.catch(() => known.delete(tenant));
    known.set(tenant, { atMs: now(), state });
    return state;
  };
}

type TenantPorts = Awaited<ReturnType<RunObjectOptions["portsOf"]>>;

/**
 * Without what is its own, or with limits that are unknown, nothing of it is begun: what it is told
 * is stored, and waits.
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

type Heard = Required<Pick<HostOptions, "onLookFailed">> & {
  readonly onEvent: Parameters<typeof watchLog>[1];
};

/** What the runs of a tenant tell the operator. */
function hearRuns(tenant: string, { metrics, log }: Omit<TenantParts, "peers">): Heard {
  return {
    onEvent: (event, append) => {
      metrics.onEvent(tenant, event, append);
      log.onEvent(tenant, event);
    },
    onLookFailed: (run, error) => log.sayError("run.look-failed", error, { tenant, run }),
  };
}
