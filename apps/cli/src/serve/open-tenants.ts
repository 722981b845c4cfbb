/**
 * Opens the served runs: those of one folder, driven by this process, or those of tenants under an
 * engine, driven by its workers.
 */
import { createLocalHost, createRunClient, type HostOptions, type LocalHost } from "@turnseal/host";
import type { ServerMetrics } from "@turnseal/operate/metrics";
import { findHosts } from "@turnseal/operate/worker";
import type { LiveBus } from "@turnseal/ports";
import { type RunPlace, TENANT_DEFAULT } from "@turnseal/runtime";
import { openSigner, readRuns, type StoreFolder } from "@turnseal/runtime/folder";
import { createRuns, openTenantRuns } from "@turnseal/runtime/runs";
import {
  type DriveRunsOptions,
  driveRuns,
  type FindTenant,
  type SessionHost,
} from "@turnseal/server";
import type { Terminal } from "@turnseal/terminal";
import { noteOrigin } from "../terminal/note-origin.ts";

export interface ServedTenants {
  readonly kind: "open";
  readonly find: FindTenant;
  /** Runs of an earlier process that go on now. */
  readonly resumed: number;
  /** Why it is not ready now. */
  whyUnready(): Promise<string | undefined>;
  close(): Promise<void>;
}

export type TenantsOpening =
  | ServedTenants
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

export interface TenantsOptions {
  readonly place: Omit<RunPlace, "tenant">;
  /** The tenants whose runs are served, as far as they are known. */
  readonly tenants: readonly string[];
  /**
   * Under an engine: the served tenants, without asking the database. Without it, the database
   * decides.
   */
  readonly named: readonly string[] | undefined;
  /** Connections to the database of an engine, for all tenants together. */
  readonly connectionsMax: number | undefined;
  /** Everything that a host is bound from, but its stores and its signer. */
  readonly project: Omit<HostOptions, "stores" | "signer">;
  readonly paths: readonly string[];
  /** The file with prices for budgets in money, if there is one. */
  readonly prices: string | undefined;
  readonly terminal: Terminal;
  readonly metrics: ServerMetrics;
  /** Where the runs of a tenant tell what is being written. */
  readonly liveOf: (tenant: string) => LiveBus | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onFailure: (run: string, error: unknown) => void;
  readonly onBlocked: NonNullable<DriveRunsOptions["onBlocked"]>;
}

export async function openServedTenants(options: TenantsOptions): Promise<TenantsOpening> {
  const { place, tenants } = options;
  if (place.host !== undefined) return openEngine(options);
  const [tenant, ...others] = tenants;
  if (others.length > 0)
    return {
      kind: "unusable",
      message: `a folder holds the runs of one tenant, and there are ${tenants.join(", ")}`,
      next: "turnseal serve --host <engine> --postgres <database>",
    };
  const named = tenant ?? TENANT_DEFAULT;
  const folder = await createRuns({ ...place, tenant: named });
  if (folder.kind === "unusable") return folder;
  const live = liveParts(options, named);
  const { observer } = options.metrics;
  const observed = { ...live, tenant: named, observers: [observer] };
  const { host, resumed, close } = await openLocal(folder, observed, options);
  const served = { ...host, ...live };
  return {
    kind: "open",
    find: (asked) => (asked === named ? served : undefined),
    resumed,
    whyUnready: async () => undefined,
    close: async () => {
      await close();
      await folder.stores.close();
    },
  };
}

/** Workers drive the runs: from here they get messages and reads, on shared connections. */
async function openEngine(options: TenantsOptions): Promise<TenantsOpening> {
  const { place, named, project, connectionsMax, metrics } = options;
  const runs = await openTenantRuns(place, { connectionsMax, metrics: metrics.store });
  if (runs.kind === "unusable") return runs;
  const open = (tenant: string): SessionHost => {
    const { stores } = runs.forTenant(tenant);
    const host = createRunClient({ ...project, stores });
    return { ...host, stores, ...liveParts(options, tenant) };
  };
  // Finds errors of the loops at the start, not at the first request.
  open(named?.[0] ?? TENANT_DEFAULT);
  const { readTenant, whyUnready, close } = runs;
  const find = findHosts({ named, readTenant, open });
  return { kind: "open", find, resumed: 0, whyUnready, close };
}

function liveParts({ liveOf }: TenantsOptions, tenant: string): Pick<HostOptions, "live"> {
  const live = liveOf(tenant);
  return live === undefined ? {} : { live };
}

interface OpenedTenant {
  readonly host: SessionHost;
  readonly resumed: number;
  close(): Promise<void>;
}

async function openLocal(
  folder: StoreFolder,
  observed: Pick<HostOptions, "live" | "observers" | "tenant">,
  { project, environment, paths, prices, terminal, onFailure, onBlocked }: TenantsOptions,
): Promise<OpenedTenant> {
  const { stores, path } = folder;
  const signer = await openSigner(path, environment);
  const host = createLocalHost({ ...project, ...observed, stores, signer });
  const { lookAt, close } = driveRuns({
    drive: host.driveNow,
    isTold: (run) => stores.inbox.has(run),
    ...{ onFailure, onBlocked },
  });
  const start: LocalHost["start"] = async (loop, input, startOptions) => {
    const run = await host.start(loop, input, startOptions);
    const { id, version } = loop.definition;
    const origin = {
      ...{ run, loop: id, version, from: paths, loops: host.registry.list() },
      ...(prices === undefined ? {} : { prices }),
    };
    await noteOrigin(path, origin, terminal);
    return run;
  };
  let resumed = 0;
  for (const run of await listResumable(folder, host)) {
    resumed += 1;
    lookAt(run);
  }
  return { host: { ...host, start, stores, lookAt }, resumed, close };
}

/**
 * Runs that have not stopped and can go on here. A run of a loop that is served here is looked at
 * in any case: its obstacle is then recorded, and reported.
 */
async function listResumable(folder: StoreFolder, host: LocalHost): Promise<string[]> {
  const runs: string[] = [];
  for await (const { run, projection } of readRuns(folder)) {
    if (projection?.stopped !== null && projection !== undefined) continue;
    const check = await host.checkResume(run);
    const loop = projection?.spec?.loop;
    const isOurs = loop !== undefined && host.registry.resolve(loop) !== undefined;
    if (check === undefined || check.isSafe || isOurs) runs.push(run);
  }
  return runs;
}
