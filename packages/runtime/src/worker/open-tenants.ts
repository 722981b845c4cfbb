/** The tenants that a worker serves: each has a host of its own, and all share its connections. */
import type { RegisteredRelease } from "@turnseal/adapters/postgres";
import { bindHost, type HostPorts } from "@turnseal/host";
import { SLOTS_DEFAULT, TENANT_DEFAULT } from "../defaults.ts";
import type { Peers } from "../engine/load-peers.ts";
import { watchLog } from "../folder/watch-log.ts";
import type { WorkerLog } from "./worker-log.ts";
import type { WorkerMetrics } from "./worker-metrics.ts";
import type { WorkerOptions } from "./worker-options.ts";

export interface Tenants {
  readonly portsOf: (tenant: string) => HostPorts | undefined;
  /** The host of the first one: all have the same loops. */
  readonly first: HostPorts;
  listReleases(): Promise<readonly RegisteredRelease[]>;
  /** What is wrong with the database; throws where it does not answer. */
  findTrouble(): Promise<string | undefined>;
  /** A tenant that was asked for of late, and is not served here. */
  findUnserved(): string | undefined;
  close(): Promise<void>;
}

export interface TenantParts {
  readonly peers: Extract<Peers, { kind: "loaded" }>;
  readonly metrics: WorkerMetrics;
  readonly log: WorkerLog;
}

/** For what is told and looked at while every slot is in use. */
const SPARE_CONNECTIONS = 4;
const CONNECTIONS_MAX = 64;
/** How long it is remembered that a tenant was asked for. */
const UNSERVED_MS = 10 * 60 * 1000;

export async function openTenants(
  options: WorkerOptions,
  { peers, metrics, log }: TenantParts,
): Promise<Tenants> {
  const { host, live, postgres, slots = SLOTS_DEFAULT } = options;
  const { production = false, withoutStandby = false, watch = (stores) => stores } = options;
  const { connectionsMax = Math.min(slots + SPARE_CONNECTIONS, CONNECTIONS_MAX) } = options;
  const pool = await peers.openPostgresPool({
    ...{ url: postgres, withoutStandby, connectionsMax },
    mode: production ? "production" : "development",
  });
  const { missing, isOverridden } = pool.durability;
  if (isOverridden) log.say("warn", "store.not-replicated", { missing: missing.join(", ") });
  const bind = (tenant: string): HostPorts => {
    const watched = watchLog(watch(pool.forTenant(tenant)), (event) => {
      metrics.onEvent(event);
      log.onEvent(event);
    });
    return bindHost({ ...host, ...live?.forTenant(tenant), stores: watched });
  };
  const [name = TENANT_DEFAULT, ...others] = options.tenants ?? [];
  const first = bind(name);
  const opened = new Map([[name, first]]);
  for (const tenant of others) opened.set(tenant, bind(tenant));
  let unserved: { readonly tenant: string; readonly atMs: number } | undefined;
  return {
    portsOf: (tenant) => {
      const ports = opened.get(tenant);
      if (ports === undefined) unserved = { tenant, atMs: Date.now() };
      return ports;
    },
    first,
    listReleases: () => pool.listReleases(),
    findTrouble: async () => (await pool.findTrouble())?.what,
    findUnserved: () =>
      unserved !== undefined && Date.now() - unserved.atMs < UNSERVED_MS
        ? unserved.tenant
        : undefined,
    close: () => pool.close(),
  };
}
