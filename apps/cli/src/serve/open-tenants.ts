/**
 * The runs that are served: those of one folder, carried by this process, or those of tenants under
 * an engine, whose workers carry them.
 */
import { createLocalHost, createRunClient, type HostOptions, type LocalHost } from "@turnseal/host";
import type { LiveBus } from "@turnseal/ports";
import type { RunPlace } from "@turnseal/runtime";
import { openSigner, readRuns, type StoreFolder, takeLease } from "@turnseal/runtime/folder";
import { createRuns } from "@turnseal/runtime/runs";
import { driveRuns, type SessionHost } from "@turnseal/server";
import { noteOrigin } from "../terminal/note-origin.ts";
import type { Terminal } from "../terminal/screen.ts";

export interface ServedTenants {
  readonly kind: "open";
  readonly hosts: ReadonlyMap<string, SessionHost>;
  /** Runs of an earlier process that go on now. */
  readonly resumed: number;
  close(): Promise<void>;
}

export type TenantsOpening =
  | ServedTenants
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

export interface TenantsOptions {
  readonly place: Omit<RunPlace, "tenant">;
  readonly tenants: readonly string[];
  /** Everything that a host is bound from, but its stores and its signer. */
  readonly project: Omit<HostOptions, "stores" | "signer">;
  readonly paths: readonly string[];
  /** The file with the prices that money is counted by, where it was given. */
  readonly prices: string | undefined;
  readonly terminal: Terminal;
  /** Where the runs of a tenant tell what is being written. */
  readonly liveOf: (tenant: string) => LiveBus | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onFailure: (run: string, error: unknown) => void;
}

/** How long a run that somebody else carries is left to them before it is looked at again. */
const HELD_MS = 1_000;

export async function openTenants(options: TenantsOptions): Promise<TenantsOpening> {
  const { place, tenants } = options;
  if (place.host === undefined && tenants.length > 1)
    return {
      kind: "unusable",
      message: `a folder holds the runs of one tenant, and there are ${tenants.join(", ")}`,
      next: "turnseal serve --host <engine> --postgres <database>",
    };
  const hosts = new Map<string, SessionHost>();
  const closing: (() => Promise<void>)[] = [];
  let resumed = 0;
  for (const tenant of tenants) {
    const folder = await createRuns({ ...place, tenant });
    if (folder.kind === "unusable") return folder;
    closing.push(async () => folder.stores.close());
    const bus = options.liveOf(tenant);
    const live = bus === undefined ? {} : { live: bus };
    const opened =
      folder.engine === undefined
        ? await openLocal(folder, live, options)
        : openEngine(folder, options);
    hosts.set(tenant, { ...opened.host, ...live });
    resumed += opened.resumed;
    closing.unshift(opened.close);
  }
  const close = async () => {
    for (const end of closing) await end();
  };
  return { kind: "open", hosts, resumed, close };
}

interface OpenedTenant {
  readonly host: SessionHost;
  readonly resumed: number;
  close(): Promise<void>;
}

/** Workers carry the runs: from here they are told things, and read. */
function openEngine({ stores }: StoreFolder, { project }: TenantsOptions): OpenedTenant {
  const host = createRunClient({ ...project, stores });
  return { host: { ...host, stores }, resumed: 0, close: async () => {} };
}

async function openLocal(
  folder: StoreFolder,
  live: Pick<HostOptions, "live">,
  { project, environment, paths, prices, terminal, onFailure }: TenantsOptions,
): Promise<OpenedTenant> {
  const { stores, path } = folder;
  const signer = await openSigner(path, environment);
  const host = createLocalHost({ ...project, ...live, stores, signer });
  const { lookAt, close } = driveRuns({
    drive: (run) => driveAlone(host, path, run),
    hasCancel: (run) => stores.inbox.has(run, "cancel"),
    onFailure,
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

/** One process carries a run at a time: whoever holds its lease goes first. */
async function driveAlone(host: LocalHost, folder: string, run: string) {
  for (;;) {
    const answer = await takeLease(folder, run);
    if (answer.kind === "taken") {
      try {
        return await host.driveNow(run);
      } finally {
        await answer.lease.release();
      }
    }
    await new Promise((resume) => setTimeout(resume, HELD_MS));
  }
}

/** Runs that have not stopped, and whose loops are the ones that they were started with. */
async function listResumable(folder: StoreFolder, host: LocalHost): Promise<string[]> {
  const runs: string[] = [];
  for await (const { run, projection } of readRuns(folder)) {
    if (projection?.stopped !== null && projection !== undefined) continue;
    const check = await host.checkResume(run);
    if (check === undefined || check.isSafe) runs.push(run);
  }
  return runs;
}
