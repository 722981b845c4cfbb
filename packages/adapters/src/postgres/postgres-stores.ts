/**
 * The five stores of one tenant in PostgreSQL: many workers on many machines.
 *
 * 1. What one append carries is one statement, so one transaction; it is durable when it is
 *    answered.
 * 2. The head row of a run decides every race of its writers.
 * 3. Everything that one run needs is in one partition of each table; what looks across runs is a
 *    list, apart.
 */
import {
  type BlobStore,
  type CallCache,
  type EventLog,
  type Inbox,
  LIST_RECEIPTS_MAX,
  READ_EVENTS_MAX,
  type ReceiptStore,
  type RunStore,
  type Stores,
} from "@turnseal/ports";
import { toRange } from "../pack-segment.ts";
import { appendRows } from "./append-rows.ts";
import { eraseRun } from "./erase-run.ts";
import { findTrouble, type StoreTrouble } from "./find-trouble.ts";
import { checkComplete, checkMigrations } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { checkRunId, isRunId } from "./names.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./open-database.ts";
import { eraseEndedRuns, type Retained } from "./retention.ts";
import { type Roles, rolesOf } from "./roles.ts";
import { createRunLists, type RunLists } from "./run-lists.ts";
import { checkDurability, type Durability, type DurabilityOptions } from "./standby.ts";
import { dropSnapshot } from "./statements/drop-snapshot.ts";
import { findCall } from "./statements/find-call.ts";
import { hasMessage } from "./statements/has-message.ts";
import { keepCacheKey } from "./statements/keep-cache-key.ts";
import { keepKey } from "./statements/keep-key.ts";
import { listReceipts } from "./statements/list-receipts.ts";
import { listReleases, type RegisteredRelease } from "./statements/list-releases.ts";
import { listRuns } from "./statements/list-runs.ts";
import { peekInbox } from "./statements/peek-inbox.ts";
import { putBlob } from "./statements/put-blob.ts";
import { putCall } from "./statements/put-call.ts";
import { putMessage } from "./statements/put-message.ts";
import { readBlob } from "./statements/read-blob.ts";
import { readEvents } from "./statements/read-events.ts";
import { readHead } from "./statements/read-head.ts";
import { readKey } from "./statements/read-key.ts";
import { readMigrations } from "./statements/read-migrations.ts";
import { readSnapshot } from "./statements/read-snapshot.ts";
import { readStandby } from "./statements/read-standby.ts";
import { takeEpoch } from "./statements/take-epoch.ts";

export interface PostgresOptions extends DatabaseOptions, DurabilityOptions {
  /** Where the roles are not called after their database. */
  readonly roles?: Partial<Roles>;
}

export interface PostgresStores extends Stores {
  readonly calls: CallCache;
  readonly lists: RunLists;
  /** What is deployed, for all tenants. */
  listReleases(): Promise<readonly RegisteredRelease[]>;
  /** What was found about the server when the stores were opened. */
  readonly durability: Durability;
  /** What keeps the database from being relied on now; throws where it does not answer. */
  findTrouble(): Promise<StoreTrouble | undefined>;
  /** Erases the content of runs that ended before a time, at most so many at once. */
  eraseEnded(before: string, limit?: number): Promise<Retained>;
  close(): Promise<void>;
}

/** What reads: of the reader's role, which can change nothing. */
export interface PostgresReader {
  readonly log: Pick<EventLog, "read" | "readHead">;
  readonly inbox: Pick<Inbox, "peek" | "has">;
  readonly blobs: Pick<BlobStore, "read">;
  readonly receipts: ReceiptStore;
  readonly runs: Pick<RunStore, "read" | "list">;
  readonly lists: RunLists;
  /** What is deployed, for all tenants. */
  listReleases(): Promise<readonly RegisteredRelease[]>;
  close(): Promise<void>;
}

/** Opens the stores of a tenant, in a database that was migrated, under the worker's role. */
export async function openPostgresStores(options: PostgresOptions): Promise<PostgresStores> {
  const role = rolesOf(options.url, options.roles).worker;
  const db = openDatabase(options, role);
  return openChecked(db, "whole", async () => {
    const durability = checkDurability(await readStandby(db), options);
    const reader = createReader(db);
    return {
      ...reader,
      log: { ...reader.log, ...logWriter(db) },
      inbox: { ...reader.inbox, put: (message) => putMessage(db, message) },
      blobs: { ...reader.blobs, ...blobWriter(db) },
      runs: { ...reader.runs, drop: async (run) => ifRun(run, () => dropSnapshot(db, run)) },
      calls: callCache(db),
      durability,
      findTrouble: () => findTrouble(db, role, options),
      eraseEnded: (before, limit) => eraseEndedRuns(db, before, limit),
    };
  });
}

/** Opens what reads of a tenant, under the reader's role. */
export async function openPostgresReader(
  options: Omit<PostgresOptions, keyof DurabilityOptions>,
): Promise<PostgresReader> {
  const db = openDatabase(options, rolesOf(options.url, options.roles).reader);
  return openChecked(db, "whole", async () => createReader(db));
}

/** Opens something in a database that was migrated, or closes it again. */
export async function openChecked<Opened>(
  db: Database,
  migrated: "whole" | "started",
  open: (applied: number) => Promise<Opened>,
): Promise<Opened> {
  try {
    const applied = await readMigrations(db);
    checkMigrations(applied, MIGRATIONS);
    if (migrated === "whole") checkComplete(applied, MIGRATIONS);
    return await open(applied.length);
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** What reads of a tenant. */
export function createReader(db: Database): PostgresReader {
  return {
    log: {
      read: async (run, from, limit = READ_EVENTS_MAX) => {
        const range = toRange(from, clamp(limit, READ_EVENTS_MAX));
        return (await ifRun(run, () => readEvents(db, run, range))) ?? [];
      },
      readHead: async (run) => ifRun(run, () => readHead(db, run)),
    },
    inbox: {
      peek: async (run, kind) => (await ifRun(run, () => peekInbox(db, run, kind))) ?? [],
      has: async (run, kind) => (await ifRun(run, () => hasMessage(db, run, kind))) ?? false,
    },
    blobs: { read: async (run, digest) => ifRun(run, () => readBlob(db, run, digest)) },
    receipts: receiptStore(db),
    runs: {
      read: async (run) => ifRun(run, () => readSnapshot(db, run)),
      list: async (after) => {
        if (after !== undefined && after !== "") checkRunId(after);
        return listRuns(db, after === "" ? undefined : after);
      },
    },
    lists: createRunLists(db),
    listReleases: () => listReleases(db),
    close: () => db.close(),
  };
}

function receiptStore(db: Database): ReceiptStore {
  return {
    read: async (run, turn) => {
      const range = { from: turn, limit: 1 };
      const receipts = await ifRun(run, () => listReceipts(db, run, range));
      return receipts?.find((receipt) => receipt.turn === turn);
    },
    list: async (run, from, limit = LIST_RECEIPTS_MAX) => {
      const range = { from, limit: clamp(limit, LIST_RECEIPTS_MAX) };
      return (await ifRun(run, () => listReceipts(db, run, range))) ?? [];
    },
  };
}

function logWriter(db: Database): Pick<EventLog, "takeEpoch" | "append"> {
  return {
    takeEpoch: async (run) => {
      checkRunId(run);
      return takeEpoch(db, run);
    },
    append: async (append) => appendRows(db, append),
  };
}

/** What the reader's role may not: with the key of a run, what was erased could be guessed at. */
function blobWriter(db: Database): Omit<BlobStore, "read"> {
  return {
    put: (run, blob) => putBlob(db, run, blob),
    readKey: async (run) => ifRun(run, () => readKey(db, run)),
    keepKey: (run, key) => keepKey(db, run, key),
    erase: (run) => eraseRun(db, run),
  };
}

/**
 * Not for the reader's role: with the key of a tenant, what its calls were asked could be tried.
 */
function callCache(db: Database): CallCache {
  return {
    keepKey: (key) => keepCacheKey(db, key),
    find: (name, nowMs) => findCall(db, name, nowMs),
    put: (entry, nowMs) => putCall(db, entry, nowMs),
  };
}

/** What is no id of a run is the id of none. */
async function ifRun<Value>(run: string, read: () => Promise<Value>): Promise<Value | undefined> {
  return isRunId(run) ? read() : undefined;
}

function clamp(limit: number, max: number): number {
  return Math.min(Math.max(limit, 0), max);
}
