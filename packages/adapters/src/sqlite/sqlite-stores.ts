/**
 * The five stores in one SQLite file: no server, several processes.
 *
 * 1. One append is one transaction, durable when it is answered.
 * 2. The lock of a transaction decides every race, between processes as within one.
 * 3. The head row decides what may be appended, by the rules of the port.
 */
import {
  type BlobStore,
  bindValues,
  type CallCache,
  type Clock,
  type EventLog,
  type GraphStore,
  type Inbox,
  LIST_RECEIPTS_MAX,
  type Outbox,
  READ_EVENTS_MAX,
  type ReceiptStore,
  type RunLeases,
  type RunStore,
  renderBody,
  type Stores,
  systemClock,
  type ValueStateLayer,
} from "@turnseal/ports";
import { toRange } from "../pack-segment.ts";
import { valueLeases } from "../value-leases.ts";
import { appendRows } from "./append-rows.ts";
import { type Connection, createConnection } from "./connection.ts";
import { eraseRun } from "./erase-run.ts";
import { type InboxWatch, watchInboxes } from "./inbox-watch.ts";
import { type OpenOptions, openDatabase } from "./open-database.ts";
import { sqliteValueRows } from "./sqlite-value-rows.ts";
import { prepareStatements, type Statements } from "./statements/prepare-statements.ts";
import { putMessage } from "./statements/put-message.ts";
import type { NewestRun } from "./statements/snapshot-statements.ts";

export interface SqliteOptions extends OpenOptions {
  /** Says when a message was received. */
  readonly clock?: Clock;
}

export interface SqliteStores extends Stores {
  readonly calls: CallCache;
  /** Values under keys and logs of programs around the runs. The file is of one tenant. */
  readonly values: ValueStateLayer;
  readonly graphs: GraphStore;
  readonly leases: RunLeases;
  readonly lists: SqliteLists;
  close(): void;
}

/** Lists across runs: never on the way of a turn. */
export interface SqliteLists {
  /** The newest runs first, at most `RUNS_LIST_MAX`; a page begins before a run. */
  listNewest(before?: string): Promise<readonly NewestRun[]>;
}

/** Opens the stores in a file, which is made if it is not there. */
export function sqliteStores(options: SqliteOptions): SqliteStores {
  const db = openDatabase(options);
  const store: Store = {
    connection: createConnection(db),
    statements: prepareStatements(db),
    watch: watchInboxes(db),
    clock: options.clock ?? systemClock,
  };
  const values = bindValues(sqliteValueRows(store.connection, store.statements.values));
  return {
    log: eventLog(store),
    inbox: inboxOf(store),
    blobs: blobStore(store),
    receipts: receiptStore(store),
    outbox: outboxOf(store),
    runs: runStore(store),
    calls: callCache(store),
    values,
    graphs: graphStore(store),
    leases: valueLeases({ values, clock: store.clock }),
    lists: {
      listNewest: (before = "") =>
        store.connection.read(() => store.statements.snapshots.listNewest(before)),
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

interface Store {
  readonly connection: Connection;
  readonly statements: Statements;
  readonly watch: InboxWatch;
  readonly clock: Clock;
}

function eventLog({ connection, statements }: Store): EventLog {
  const { heads, events } = statements;
  return {
    takeEpoch: (run) => connection.write(() => heads.takeEpoch(run)),
    append: (append) => connection.write(() => appendRows(statements, append)),
    read: (run, from, limit = READ_EVENTS_MAX) =>
      connection.read(() => events.list(run, toRange(from, clamp(limit, READ_EVENTS_MAX)))),
    readHead: (run) =>
      connection.read(() => {
        const head = heads.read(run);
        if (head === undefined || head.epoch === 0) return undefined;
        const { number: _, ...known } = head;
        return known;
      }),
  };
}

function inboxOf({ connection, statements, watch, clock }: Store): Inbox {
  return {
    put: async (message) => {
      const body = renderBody(message);
      if (body.kind === "refused") return body;
      const answer = await connection.write(() => {
        const receivedAt = new Date(clock.now()).toISOString();
        return putMessage(statements, { ...body, message, receivedAt });
      });
      watch.notePut(message.run);
      return answer;
    },
    peek: (run, kind) =>
      connection.read(() => {
        if (!watch.mayHoldRows(run)) return [];
        const rows = statements.inbox.listPending(run, kind);
        if (rows.length === 0 && kind === undefined) watch.noteEmpty(run);
        return rows;
      }),
    has: (run, kind) =>
      connection.read(() => {
        if (!watch.mayHoldRows(run)) return false;
        if (statements.inbox.hasPending(run, kind)) return true;
        // The watch knows of empty inboxes alone: of one kind there may be none, of others some.
        if (kind === undefined || !statements.inbox.hasPending(run, undefined))
          watch.noteEmpty(run);
        return false;
      }),
    listTold: (after = "") => connection.read(() => statements.inbox.listTold(after)),
  };
}

function blobStore({ connection, statements }: Store): BlobStore {
  const { heads, blobs } = statements;
  return {
    put: (run, blob) =>
      connection.write(() => {
        const number = heads.openNumber(run);
        if (!blobs.isErased(number)) blobs.insert(number, blob);
      }),
    read: (run, digest) => connection.read(() => blobs.read(run, digest)),
    readKey: (run) => connection.read(() => blobs.readKey(run)),
    keepKey: (run, key) => connection.write(() => blobs.keepKey(heads.openNumber(run), key)),
    erase: (run) => eraseRun(connection, statements, run),
  };
}

function receiptStore({ connection, statements: { receipts } }: Store): ReceiptStore {
  return {
    read: (run, turn) =>
      connection.read(() => receipts.list(run, turn, 1).find((receipt) => receipt.turn === turn)),
    list: (run, from, limit = LIST_RECEIPTS_MAX) =>
      connection.read(() => receipts.list(run, from, clamp(limit, LIST_RECEIPTS_MAX))),
  };
}

function outboxOf({ connection, statements: { outbox } }: Store): Outbox {
  return {
    list: (observer, after = { run: "", turn: 0 }) =>
      connection.read(() => outbox.list(observer, after)),
    acknowledge: (observer, receipt) => connection.write(() => outbox.remove(observer, receipt)),
  };
}

function runStore({ connection, statements: { snapshots } }: Store): RunStore {
  return {
    read: (run) => connection.read(() => snapshots.read(run)),
    list: (after = "") => connection.read(() => snapshots.list(after)),
    drop: (run) => connection.write(() => snapshots.drop(run)),
  };
}

function graphStore({ connection, statements: { heads, graphs } }: Store): GraphStore {
  return {
    readSequence: (run) => connection.read(() => graphs.readSequence(run)),
    listNodes: (run, after = "") => connection.read(() => graphs.listNodes(run, after)),
    listEdges: (run, after) => connection.read(() => graphs.listEdges(run, after)),
    rewrite: (run, { sequence, changes }) =>
      connection.write(() => {
        const head = heads.read(run);
        if (head === undefined || head.sequence !== sequence) return "moved";
        graphs.write(head.number, { from: 0, changes }, sequence);
        return "rewritten";
      }),
    drop: (run) =>
      connection.write(() => {
        const head = heads.read(run);
        if (head !== undefined) graphs.drop(head.number);
      }),
  };
}

function callCache({ connection, statements: { heads, blobs, calls } }: Store): CallCache {
  return {
    keepKey: (key) => connection.write(() => calls.keepKey(key)),
    find: (name, nowMs) => connection.read(() => calls.find(name, nowMs)),
    put: (entry, nowMs) =>
      connection.write(() => {
        const number = heads.openNumber(entry.from.run);
        if (blobs.isErased(number)) return;
        calls.dropExpired(nowMs);
        calls.put(number, entry);
      }),
  };
}

function clamp(limit: number, max: number): number {
  return Math.min(Math.max(limit, 0), max);
}
