/**
 * Opens runs under an engine for a command: messages go through the engine, reads to the database.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { folderArchive } from "@turnseal/adapters/archive";
import type { Asked, PoolUse, PostgresPool, TenantStores } from "@turnseal/adapters/postgres";
import { type Inbox, StoreError } from "@turnseal/ports";
import { TENANT_DEFAULT } from "../defaults.ts";
import { withArchived } from "../folder/bundles/archived-stores.ts";
import type { EngineSide } from "../folder/engine-side.ts";
import { isUnwritable } from "../folder/keys/open-keys.ts";
import { recentReleases } from "../folder/origins/recent-releases.ts";
import { STORE_FOLDER, type StoreFolder, type StoreOpening } from "../folder/store-folder.ts";
import type { RunPlace } from "../run-place.ts";
import { loadPeers } from "./load-peers.ts";
import { postJson } from "./post-json.ts";

/** Counts statements of the database, and its connections. */
export interface StoreMetrics {
  /** Called with every statement once it was answered. */
  readonly onAsked: (asked: Asked) => void;
  /** Begins to report the use of these connections. */
  watchUse(readUse: () => PoolUse): void;
}

/** Runs of any tenant, on connections that all of them share. */
export interface DurableRuns {
  readonly kind: "open";
  /** Closing what it gives closes nothing: the connections are of all. */
  forTenant(tenant: string): StoreFolder;
  /**
   * Every tenant that has a run, or the start of one; undefined if the login may not see all.
   */
  listTenantsWithRuns?(): Promise<readonly string[]>;
  /** Reads the record of a tenant in the database. */
  readonly readTenant: PostgresPool["readTenant"];
  /** The reason why runs cannot be messaged or read now; undefined if there is none. */
  whyUnready(): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface DurableOptions {
  /** Connections to the database, for all tenants together. */
  readonly connectionsMax?: number | undefined;
  /** Counts statements and connections. */
  readonly metrics?: StoreMetrics;
  /** Opens what reads, where the login may do no more. */
  readonly allowReader?: boolean;
  /** Opens what reads of every tenant, for the login of an operator. */
  readonly asOperator?: boolean;
}

/** Why there is nothing to be opened, and what to do. */
export type Unusable = Extract<StoreOpening, { kind: "unusable" }>;

/** Opens the database for one tenant, and the way through the engine. */
export async function openDurable(place: RunPlace): Promise<StoreOpening> {
  const opened = await openDurableRuns(place, { allowReader: true });
  if (opened.kind === "unusable") return opened;
  const folder = opened.forTenant(place.tenant ?? TENANT_DEFAULT);
  return { kind: "open", ...folder, stores: { ...folder.stores, close: opened.close } };
}

/** The same for any number of tenants. */
export async function openDurableRuns(
  place: Omit<RunPlace, "tenant">,
  { connectionsMax, metrics, allowReader = false, asOperator = false }: DurableOptions = {},
): Promise<DurableRuns | Unusable> {
  const { host = "", postgres } = place;
  const ingress = parseAddress(host);
  // The refused value may hold a password, so it is not shown.
  if (ingress === undefined)
    return unusable(
      "--host must be the http or https URL of the engine, without user name and password",
      "--host http://127.0.0.1:8080",
    );
  if (postgres === undefined)
    return unusable(
      "with --host the database is needed, too",
      "--postgres postgres://user@host/database, or TURNSEAL_POSTGRES_URL",
    );
  const peers = await loadPeers();
  if (peers.kind === "missing") return unusable(peers.message, peers.next);
  const path = await createDurableFolder(place.store);
  const most = connectionsMax === undefined ? {} : { connectionsMax };
  const counted = metrics === undefined ? {} : { onAsked: metrics.onAsked };
  const opening = { url: postgres, allowReader, ...most, ...counted };
  const all = asOperator ? await peers.openOperatorPool(opening) : undefined;
  const pool = all ?? (await peers.openPostgresPool(opening));
  metrics?.watchUse(pool.readUse);
  const listReleases = recentReleases(() => pool.listReleases());
  return {
    kind: "open",
    forTenant: (tenant) => {
      const told = peers.createIngress({ ingress, tenant, post: postJson });
      const archived = { tenant, place: place.archive, openArchive: folderArchive };
      const stores = withArchived(pool.forTenant(tenant), archived);
      // A login that may not write to the database may not use the engine to do so.
      const { put } = stores.inbox;
      const ways = pool.isReadOnly ? { put, look: refuseTold, lookAll: refuseTold } : told;
      return { path, ...bindTenant(stores, { ...ways, listReleases }) };
    },
    ...(all === undefined ? {} : { listTenantsWithRuns: () => all.listTenantsWithRuns() }),
    readTenant: (name) => pool.readTenant(name),
    whyUnready: async () => {
      const isThere = await pool.findTrouble().then(
        () => true,
        () => false,
      );
      if (!isThere) return "the database does not answer";
      return (await isHealthy(ingress)) ? undefined : "the engine does not answer";
    },
    close: () => pool.close(),
  };
}

async function refuseTold(): Promise<never> {
  throw new StoreError("STORE_READ_ONLY", "this login may only read");
}

const HEALTH_MS_MAX = 2_000;

async function isHealthy(ingress: string): Promise<boolean> {
  const signal = AbortSignal.timeout(HEALTH_MS_MAX);
  return fetch(`${ingress}/restate/health`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

type Told = Pick<EngineSide, "look" | "lookAll" | "listReleases"> & Pick<Inbox, "put">;

/** Messages go through the engine, and reads go to the database. */
function bindTenant(
  stores: TenantStores,
  { put, look, lookAll, listReleases }: Told,
): Omit<StoreFolder, "path"> {
  const refuse = async (): Promise<never> => {
    throw new Error("only a worker carries a run");
  };
  return {
    stores: {
      ...stores,
      log: { ...stores.log, takeEpoch: refuse, append: refuse },
      inbox: { ...stores.inbox, put },
      close: async () => {},
    },
    engine: {
      ...{ lists: stores.lists, look, lookAll, listReleases },
      listArchived: stores.listArchived,
      listKeys: stores.listKeys,
    },
    newest: async (before) => {
      const page = await stores.lists.listNewest(before);
      return page.map((snapshot) => ({ run: snapshot.run, snapshot }));
    },
  };
}

/**
 * Where keys and notes of runs under an engine are: apart from those of local ones. On a read-only
 * file system there is none, and functions that need it report that.
 */
export async function createDurableFolder(named: string | undefined): Promise<string> {
  const folder = resolve(named ?? STORE_FOLDER);
  const path = join(folder, "durable");
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, ".gitignore"), "*\n");
  } catch (error) {
    if (!isUnwritable(error)) throw error;
  }
  return path;
}

/** An address without the slash at its end, which a path follows, and without a secret in it. */
export function parseAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return url.href.replace(/\/$/, "");
}

function unusable(message: string, next: string): Unusable {
  return { kind: "unusable", message, next };
}
