/**
 * The way into a database: one bounded pool of connections for a process, for any number of
 * tenants. A program with one tenant may have a pool for it alone.
 */

import type { Pause } from "@turnseal/protocol";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { findTrouble, type StoreTrouble } from "./find-trouble.ts";
import { checkComplete, checkMigrations } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import {
  type Connections,
  type ConnectionsOptions,
  checkTenant,
  type Database,
  openConnections,
  type PoolUse,
} from "./open-database.ts";
import {
  createReader,
  createReadOnlyStores,
  createStores,
  type TenantReader,
  type TenantStores,
} from "./postgres-stores.ts";
import { type Roles, rolesOf } from "./roles.ts";
import { checkDurability, type Durability, type DurabilityOptions } from "./standby.ts";
import { listPauses } from "./statements/list-pauses.ts";
import { listReleases, type RegisteredRelease } from "./statements/list-releases.ts";
import { listTenants, listTenantsWithRuns } from "./statements/list-tenants.ts";
import { type KeyNoted, noteKey } from "./statements/note-key.ts";
import { noteSeen, type SeenByWorker } from "./statements/note-seen.ts";
import { readMigrations } from "./statements/read-migrations.ts";
import { readSpent } from "./statements/read-spent.ts";
import { readStandby } from "./statements/read-standby.ts";
import { readTenant, type StoredTenant } from "./statements/read-tenant.ts";
import { type TakenStarts, takeStarts } from "./statements/take-starts.ts";
import type { Counting, SpentToday } from "./tenant-spent.ts";
import { isNotGranted } from "./to-store-error.ts";

export interface PostgresPoolOptions extends ConnectionsOptions, DurabilityOptions {
  /** Where the roles are not called after their database. */
  readonly roles?: Partial<Roles>;
  /** Opens what reads where the login has the reader's role and not the worker's. */
  readonly allowReader?: boolean;
}

export interface PostgresPool {
  /**
   * The stores of a tenant, on the connections of the pool. They are not to be closed. With
   * `counting`, they count the tenant's spending.
   */
  forTenant(tenant: string, counting?: Counting): TenantStores;
  /** A tenant's usage of its limits. */
  quotaOf(tenant: string): TenantQuota;
  /** The deployed releases, for all tenants. */
  listReleases(): Promise<readonly RegisteredRelease[]>;
  /** Reads whether a tenant may have runs, with its shares and limits. */
  readTenant(name: string): Promise<StoredTenant | undefined>;
  /** Everything that is paused, for all tenants. */
  listPauses(): Promise<readonly Pause[]>;
  /** True under the reader's role: every change is refused. */
  readonly isReadOnly: boolean;
  /** Has the log of the deployment say what a worker has, where that is new. */
  noteSeen(seen: SeenByWorker): Promise<void>;
  /**
   * Lists a key that seals for a tenant, or, with null, for all. Listing does not make it trusted.
   */
  noteKey(tenant: string | null, key: PublicKey): Promise<KeyNoted>;
  /** The durability of the server when the pool was opened. */
  readonly durability: Durability;
  /** Finds why the database cannot be relied on now; throws if it does not answer. */
  findTrouble(): Promise<StoreTrouble | undefined>;
  /** How many of its connections are used now. */
  readUse(): PoolUse;
  /** Names of active tenants in their order, some hundred after one. */
  listTenants(after?: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The usage of a tenant's limits, for all workers. */
export interface TenantQuota {
  readSpent(): Promise<SpentToday>;
  /** Takes the places of so many runs that start. Unused places are lost. */
  takeStarts(count: number, perSecond: number): Promise<TakenStarts>;
}

export interface PostgresOptions extends PostgresPoolOptions {
  /** The owner of the rows: rows of other tenants are neither visible nor changeable. */
  readonly tenant: string;
}

/** The stores of one tenant, with connections of their own. */
export interface PostgresStores
  extends TenantStores,
    Pick<PostgresPool, "durability" | "findTrouble" | "close"> {}

/** Reads of one tenant, with connections of its own. */
export interface PostgresReader extends TenantReader, Pick<PostgresPool, "close"> {}

/** Opens a pool for all tenants of a process, in a database that was migrated. */
export async function openPostgresPool(options: PostgresPoolOptions): Promise<PostgresPool> {
  const { allowReader = false } = options;
  try {
    return await openPoolAs("worker", options);
  } catch (error) {
    if (!allowReader || !isNotGranted(error)) throw error;
    // A login without any of the roles gets the first error.
    return openPoolAs("reader", options)
      .catch(() => openPoolAs("owner", options))
      .catch(() => Promise.reject(error));
  }
}

/** Reads the runs of every tenant, under the owner's role. */
export interface OperatorPool extends PostgresPool {
  /** Every tenant that has a run, or the start of one. */
  listTenantsWithRuns(): Promise<readonly string[]>;
}

/** Opens what reads of every tenant, for a login that has the owner's role. */
export function openOperatorPool(options: PostgresPoolOptions): Promise<OperatorPool> {
  return openPoolAs("owner", options);
}

async function openPoolAs(
  as: "worker" | "reader" | "owner",
  options: PostgresPoolOptions,
): Promise<OperatorPool> {
  const role = rolesOf(options.url, options.roles)[as];
  const connections = openConnections(options);
  return openChecked({ connections, role, migrated: "whole" }, async (db) => ({
    forTenant: (tenant, counting) => {
      const own = connections.enter(role, checkTenant(tenant));
      return as === "worker" ? createStores(own, counting) : createReadOnlyStores(own);
    },
    isReadOnly: as !== "worker",
    quotaOf: (tenant) => {
      const own = connections.enter(role, checkTenant(tenant));
      return {
        readSpent: () => readSpent(own),
        takeStarts: (count, perSecond) => takeStarts(own, count, perSecond),
      };
    },
    listReleases: () => listReleases(db),
    readTenant: (name) => readTenant(db, name),
    listPauses: () => listPauses(db),
    noteSeen: (seen) => noteSeen(db, seen),
    noteKey: (tenant, key) =>
      noteKey(tenant === null ? db : connections.enter(role, checkTenant(tenant)), key),
    durability: checkDurability(await readStandby(db), options),
    findTrouble: () => findTrouble(db, options),
    readUse: () => connections.readUse(),
    listTenants: (after = "") => listTenants(db, after),
    listTenantsWithRuns: () => listTenantsWithRuns(db),
    close: () => connections.close(),
  }));
}

/** Opens the stores of a tenant, in a database that was migrated, under the worker's role. */
export async function openPostgresStores(options: PostgresOptions): Promise<PostgresStores> {
  const tenant = checkTenant(options.tenant);
  const { forTenant, durability, findTrouble: find, close } = await openPostgresPool(options);
  return { ...forTenant(tenant), durability, findTrouble: find, close };
}

/** Opens what reads of a tenant, under the reader's role. */
export async function openPostgresReader(
  options: Omit<PostgresOptions, keyof DurabilityOptions>,
): Promise<PostgresReader> {
  const tenant = checkTenant(options.tenant);
  const role = rolesOf(options.url, options.roles).reader;
  const connections = openConnections(options);
  return openChecked({ connections, role, migrated: "whole" }, async () => ({
    ...createReader(connections.enter(role, tenant)),
    close: () => connections.close(),
  }));
}

export interface Entrance {
  readonly connections: Connections;
  readonly role: string;
  /** Whether every migration of this program is needed. */
  readonly migrated: "whole" | "started";
}

/** Opens something in a database that was migrated, or closes its connections again. */
export async function openChecked<Opened>(
  { connections, role, migrated }: Entrance,
  open: (db: Database, applied: number) => Promise<Opened>,
): Promise<Opened> {
  try {
    const db = connections.enter(role);
    const applied = await readMigrations(db);
    checkMigrations(applied, MIGRATIONS);
    if (migrated === "whole") checkComplete(applied, MIGRATIONS);
    return await open(db, applied.length);
  } catch (error) {
    await connections.close();
    throw error;
  }
}
