/**
 * The deployed releases, for deployments: under the owner's role, which alone may change them, and
 * which sees the runs of every tenant.
 */
import { READ_EVENTS_MAX } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { toRange } from "../pack-segment.ts";
import { renderDoer } from "./audit-book.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { type Database, openConnections, type Statement } from "./open-database.ts";
import { openChecked } from "./postgres-pool.ts";
import { createReader, type TenantReader } from "./postgres-stores.ts";
import {
  PERIODS_MIGRATION,
  readOldEvents,
  readOldSegments,
  SEGMENTS_MIGRATION,
} from "./read-old-events.ts";
import { type Roles, rolesOf } from "./roles.ts";
import { listReleases, type RegisteredRelease } from "./statements/list-releases.ts";
import { listTenantsWithRuns } from "./statements/list-tenants.ts";

export interface ReleaseBookOptions {
  readonly url: string;
  readonly roles?: Partial<Roles>;
  /** The deploying person, for the log of the deployment. */
  readonly by?: string;
}

/** A migration that this program brings, and the database has not seen. */
export interface PendingMigration {
  readonly number: number;
  readonly name: string;
  /** True when workers of the version before can run, restart and scale beside it. */
  readonly isShared: boolean;
}

export interface ReleaseBook {
  /** The pending migrations of `turnseal migrate`. */
  readonly pending: readonly PendingMigration[];
  list(): Promise<readonly RegisteredRelease[]>;
  /** Writes a release down, or where it is now; it drains no more. */
  put(release: ReleaseToPut, deed?: "registered" | "promoted"): Promise<void>;
  /** Answers false where there is none of that name. */
  drain(name: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Answers false where it does not drain any more: somebody wants it again. */
  removeDrained(name: string): Promise<boolean>;
  /** Every tenant that has a run, or the start of one. */
  listTenants(): Promise<readonly string[]>;
  /** Reads the runs of a tenant. */
  readerOf(tenant: string): TenantReader;
  close(): Promise<void>;
}

export interface ReleaseToPut {
  readonly name: string;
  readonly uri: string;
  readonly facts: JsonObject;
}

/** The migration that made the table. */
const BOOK_MIGRATION = 5;

const CONNECTIONS_MAX = 4;

export async function openReleaseBook(options: ReleaseBookOptions): Promise<ReleaseBook> {
  const { url, roles, by = "" } = options;
  const role = rolesOf(url, roles).owner;
  const connections = openConnections({ url, connectionsMax: CONNECTIONS_MAX });
  return openChecked({ connections, role, migrated: "started" }, async (db, applied) => ({
    pending: MIGRATIONS.slice(applied).map(({ number, name, oldest }) => ({
      ...{ number, name, isShared: oldest < number },
    })),
    list: async () => (applied < BOOK_MIGRATION ? [] : listReleases(db)),
    put: async ({ name, uri, facts }, deed = "registered") => {
      await db.query(putStatement, [name, uri, JSON.stringify(facts), by, deed]);
    },
    drain: async (name) => (await db.query(drainStatement, [name, by])).length > 0,
    remove: async (name) => {
      await db.query(removeStatement, [name, by]);
    },
    removeDrained: async (name) => (await db.query(removeDrainedStatement, [name, by])).length > 0,
    listTenants: () => listTenantsWithRuns(db),
    readerOf: (tenant) => readerBefore(connections.enter(role, tenant), applied),
    close: () => connections.close(),
  }));
}

/** Deployments ask about runs before the database is migrated, too. */
function readerBefore(db: Database, applied: number): TenantReader {
  const reader = createReader(db);
  if (applied >= PERIODS_MIGRATION) return reader;
  const readOld = applied >= SEGMENTS_MIGRATION ? readOldSegments : readOldEvents;
  const read: TenantReader["log"]["read"] = (run, from, limit = READ_EVENTS_MAX) =>
    readOld(db, run, toRange(from, limit));
  return { ...reader, log: { ...reader.log, read } };
}

const putStatement: Statement = {
  name: "put-release",
  reach: "tenant",
  text: `
    insert into turnseal.release (name, uri, facts)
    select $1, $2, $3::json where ${renderDoer("$4", "$5")}
    on conflict (name) do update set uri = excluded.uri, is_draining = false`,
};

const drainStatement: Statement = {
  name: "drain-release",
  reach: "tenant",
  text: `
    update turnseal.release set is_draining = true
     where name = $1 and ${renderDoer("$2", "'drained'")} returning name`,
};

const removeStatement: Statement = {
  name: "remove-release",
  reach: "tenant",
  text: `delete from turnseal.release where name = $1 and ${renderDoer("$2", "'removed'")}`,
};

const removeDrainedStatement: Statement = {
  name: "remove-drained-release",
  reach: "tenant",
  text: `
    delete from turnseal.release
     where name = $1 and is_draining and ${renderDoer("$2", "'removed'")} returning name`,
};

/** From one tenant to the next by an index, for any number of runs. */
