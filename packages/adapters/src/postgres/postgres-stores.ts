/**
 * The five stores of one tenant in PostgreSQL: many workers on many machines.
 *
 * 1. One append is one statement, so one transaction; it is durable when it is answered.
 * 2. The head row of a run decides every race of its writers.
 * 3. Everything that one run needs is in one partition of each table; what looks across runs is a
 *    list, apart.
 */
import {
  type BlobStore,
  bindValues,
  type CallCache,
  type EventLog,
  type GraphStore,
  type Inbox,
  LIST_RECEIPTS_MAX,
  type Outbox,
  READ_EVENTS_MAX,
  type ReceiptStore,
  type RunLeases,
  type RunStore,
  StoreError,
  type Stores,
  type ValueStateLayer,
} from "@turnseal/ports";
import { toRange } from "../pack-segment.ts";
import { valueLeases } from "../value-leases.ts";
import { appendRows } from "./append-rows.ts";
import { eraseRun } from "./erase-run.ts";
import { checkRunId, isRunId } from "./names.ts";
import type { Database } from "./open-database.ts";
import { postgresGraphs } from "./postgres-graphs.ts";
import { postgresValueRows } from "./postgres-value-rows.ts";
import { eraseEndedRuns, type Retained } from "./retention.ts";
import { createRunLists, type RunLists } from "./run-lists.ts";
import { acknowledgeReceipt } from "./statements/acknowledge-receipt.ts";
import { dropSnapshot } from "./statements/drop-snapshot.ts";
import { findCall } from "./statements/find-call.ts";
import { hasContent } from "./statements/has-content.ts";
import { hasMessage } from "./statements/has-message.ts";
import { keepCacheKey } from "./statements/keep-cache-key.ts";
import { keepKey } from "./statements/keep-key.ts";
import { listArchivePlaces } from "./statements/list-archive-places.ts";
import { type ArchivedRun, listArchived } from "./statements/list-archived.ts";
import { listKeys, type NotedKey } from "./statements/list-keys.ts";
import { listOutbox } from "./statements/list-outbox.ts";
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
import { readSnapshot } from "./statements/read-snapshot.ts";
import { takeEpoch } from "./statements/take-epoch.ts";
import { takeRun } from "./statements/take-run.ts";
import type { Counting } from "./tenant-spent.ts";

/** The stores of a tenant in the database. */
export interface TenantStores extends Stores {
  readonly calls: CallCache;
  readonly outbox: Outbox;
  /** Values under keys and logs of programs around the runs. */
  readonly values: ValueStateLayer;
  readonly graphs: GraphStore;
  readonly leases: RunLeases;
  readonly lists: RunLists;
  /** Those of the runs that are in an archive. */
  listArchived(runs: readonly string[]): Promise<readonly ArchivedRun[]>;
  /** Where archives are that may have runs of the tenant, noted or not. */
  listArchivePlaces(): Promise<readonly string[]>;
  /** Signing keys that workers have noted: those of all, and those of this tenant. */
  listKeys(): Promise<readonly NotedKey[]>;
  /** The deployed releases, for all tenants. */
  listReleases(): Promise<readonly RegisteredRelease[]>;
  /** Erases the content of runs that ended before a time, at most so many at once. */
  eraseEnded(before: string, limit?: number): Promise<Retained>;
}

/** Reads of a tenant, under the reader's role, which can change nothing. */
export interface TenantReader {
  readonly log: Pick<EventLog, "read" | "readHead">;
  readonly inbox: Omit<Inbox, "put">;
  readonly blobs: Pick<BlobStore, "read">;
  readonly receipts: ReceiptStore;
  readonly runs: Pick<RunStore, "read" | "list">;
  readonly lists: RunLists;
  /** Those of the runs that are in an archive. */
  listArchived(runs: readonly string[]): Promise<readonly ArchivedRun[]>;
  /** Where archives are that may have runs of the tenant, noted or not. */
  listArchivePlaces(): Promise<readonly string[]>;
  /** Signing keys that workers have noted: those of all, and those of this tenant. */
  listKeys(): Promise<readonly NotedKey[]>;
  /** The deployed releases, for all tenants. */
  listReleases(): Promise<readonly RegisteredRelease[]>;
}

/** The stores of a tenant, for the worker's role. */
export function createStores(db: Database, counting?: Counting): TenantStores {
  const reader = createReader(db);
  const values = bindValues(postgresValueRows(db));
  return {
    ...reader,
    log: { ...reader.log, ...logWriter(db, counting) },
    inbox: { ...reader.inbox, put: (message) => putMessage(db, message) },
    blobs: { ...reader.blobs, ...blobWriter(db) },
    runs: { ...reader.runs, drop: async (run) => ifRun(run, () => dropSnapshot(db, run)) },
    calls: callCache(db),
    outbox: outboxOf(db),
    values,
    graphs: postgresGraphs(db),
    leases: valueLeases({ values }),
    eraseEnded: (before, limit) => eraseEndedRuns(db, before, limit),
  };
}

/** The stores of a tenant, for the reader's role: what would change something is refused. */
export function createReadOnlyStores(db: Database): TenantStores {
  const reader = createReader(db);
  const refuse = async (): Promise<never> => {
    throw new StoreError("STORE_READ_ONLY", "this login may only read");
  };
  const readKey = async (): Promise<never> => {
    throw new StoreError("STORE_READ_ONLY", "this login may not read the keys of runs");
  };
  const hasKey = async (run: string): Promise<boolean> =>
    (await ifRun(run, () => hasContent(db, run))) ?? false;
  const values = bindValues({ ...postgresValueRows(db), commit: refuse, append: refuse });
  return {
    ...reader,
    log: { ...reader.log, takeEpoch: refuse, append: refuse },
    inbox: { ...reader.inbox, put: refuse },
    blobs: { ...reader.blobs, put: refuse, readKey, hasKey, keepKey: refuse, erase: refuse },
    runs: { ...reader.runs, drop: refuse },
    calls: { keepKey: refuse, find: refuse, put: refuse },
    outbox: { ...outboxOf(db), acknowledge: refuse },
    values,
    graphs: { ...postgresGraphs(db), rewrite: refuse, drop: refuse },
    leases: { ...valueLeases({ values }), take: refuse },
    eraseEnded: refuse,
  };
}

/** Makes the reads of a tenant. */
export function createReader(db: Database): TenantReader {
  const lists = createRunLists(db);
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
      listTold: async (after = "") => {
        if (after !== "") checkRunId(after);
        return lists.listTold("infinity", after === "" ? undefined : after);
      },
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
    lists,
    listArchived: (runs) => listArchived(db, runs.filter(isRunId)),
    listArchivePlaces: () => listArchivePlaces(db),
    listKeys: () => listKeys(db),
    listReleases: () => listReleases(db),
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

function logWriter(
  db: Database,
  counting: Counting | undefined,
): Pick<EventLog, "takeEpoch" | "append"> {
  return {
    takeEpoch: async (run, key) => {
      checkRunId(run);
      return key === undefined ? takeEpoch(db, run) : takeRun(db, run, key);
    },
    append: async (append) => appendRows(db, append, counting),
  };
}

/**
 * Writes that the reader's role may not do: with the key of a run, it could guess at erased
 * content.
 */
function blobWriter(db: Database): Omit<BlobStore, "read"> {
  return {
    put: (run, blob) => putBlob(db, run, blob),
    readKey: async (run) => ifRun(run, () => readKey(db, run)),
    keepKey: (run, key) => keepKey(db, run, key),
    erase: (run) => eraseRun(db, run),
  };
}

/**
 * Not for the reader's role: with the key of a tenant, it could guess at the inputs of its calls.
 */
function callCache(db: Database): CallCache {
  return {
    keepKey: (key) => keepCacheKey(db, key),
    find: (name, nowMs) => findCall(db, name, nowMs),
    put: (entry, nowMs) => putCall(db, entry, nowMs),
  };
}

/** Before every run. */
const FIRST = { run: "00000000-0000-0000-0000-000000000000", turn: -1 };

function outboxOf(db: Database): Outbox {
  return {
    list: (observer, after = FIRST) => listOutbox(db, observer, after),
    acknowledge: async (observer, receipt) => {
      await ifRun(receipt.run, () => acknowledgeReceipt(db, observer, receipt));
    },
  };
}

/** An invalid id is the id of no run. */
async function ifRun<Value>(run: string, read: () => Promise<Value>): Promise<Value | undefined> {
  return isRunId(run) ? read() : undefined;
}

function clamp(limit: number, max: number): number {
  return Math.min(Math.max(limit, 0), max);
}
