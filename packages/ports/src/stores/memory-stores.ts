/**
 * The in-memory reference of the five stores. One process, nothing on disk; everything else as the
 * ports say.
 */
import type { Clock } from "../clock/clock.ts";
import { memoryCallCache } from "./call-cache/memory-call-cache.ts";
import { READ_EVENTS_MAX } from "./event-log/event-log.ts";
import type { GraphStore } from "./graph-store/graph-store.ts";
import { listMemoryEdges, listMemoryNodes, writeMemoryGraph } from "./graph-store/memory-graphs.ts";
import { INBOX_READ_MAX, type InboxMessage } from "./inbox/inbox.ts";
import {
  appendRows,
  emptyRows,
  eraseRows,
  type MemoryRows,
  putMessage,
  storeBlob,
} from "./memory-rows.ts";
import { memoryOutbox } from "./outbox/memory-outbox.ts";
import { LIST_RECEIPTS_MAX } from "./receipt-store/receipt-store.ts";
import { memoryRunLeases } from "./run-leases/memory-run-leases.ts";
import type { RunLeases } from "./run-leases/run-leases.ts";
import { RUNS_LIST_MAX } from "./run-store/run-store.ts";
import type { Stores } from "./stores.ts";

type Runs = Map<string, MemoryRows>;

export interface MemoryStores extends Stores {
  readonly leases: RunLeases;
}

export function memoryStores(clock: Clock): MemoryStores {
  const runs: Runs = new Map();
  const open = (run: string): MemoryRows => {
    const rows = runs.get(run) ?? emptyRows();
    runs.set(run, rows);
    return rows;
  };
  const calls = memoryCallCache(undefined, (run) => runs.get(run)?.isErased !== true);
  return {
    calls,
    graphs: memoryGraphs(runs),
    outbox: memoryOutbox(runs),
    leases: memoryRunLeases(),
    log: {
      takeEpoch: async (run) => {
        const rows = open(run);
        rows.epoch += 1;
        return { epoch: rows.epoch, head: rows.head };
      },
      append: async (append) => appendRows(open(append.run), append),
      read: async (run, from, limit = READ_EVENTS_MAX) => {
        const start = Math.max(0, from - 1);
        return runs.get(run)?.events.slice(start, start + clamp(limit, READ_EVENTS_MAX)) ?? [];
      },
      readHead: async (run) => {
        const rows = runs.get(run);
        if (rows === undefined || rows.epoch === 0) return undefined;
        return { ...rows.head, epoch: rows.epoch };
      },
    },
    inbox: {
      put: async (message) => putMessage(open(message.run), message, clock.now()),
      peek: async (run, kind) =>
        listPending(runs, run, kind)
          .slice(0, INBOX_READ_MAX)
          .map(({ bytes: _, ...row }) => row),
      has: async (run, kind) => listPending(runs, run, kind).length > 0,
      listTold: async (after = "") => listTold(runs, after),
    },
    blobs: {
      put: async (run, { digest, bytes }) => storeBlob(open(run), digest, bytes),
      read: async (run, digest) => runs.get(run)?.blobs.get(digest)?.slice(),
      keepKey: async (run, key) => {
        const rows = open(run);
        if (!rows.isErased) rows.key ??= key.slice();
        return rows.key?.slice();
      },
      readKey: async (run) => runs.get(run)?.key?.slice(),
      erase: async (run) => {
        eraseRows(open(run));
        calls.forget(run);
      },
    },
    receipts: {
      read: async (run, turn) => runs.get(run)?.receipts.get(turn),
      list: async (run, from, limit = LIST_RECEIPTS_MAX) =>
        [...(runs.get(run)?.receipts.values() ?? [])]
          .filter(({ turn }) => turn >= from)
          .sort((a, b) => a.turn - b.turn)
          .slice(0, clamp(limit, LIST_RECEIPTS_MAX)),
    },
    runs: {
      read: async (run) => runs.get(run)?.snapshot,
      list: async (after = "") => listSnapshots(runs, after),
      drop: async (run) => {
        open(run).snapshot = undefined;
      },
    },
  };
}

function listTold(runs: Runs, after: string): readonly string[] {
  const told = [...runs].filter(([run, { pending }]) => run > after && pending.size > 0);
  return told
    .map(([run]) => run)
    .sort()
    .slice(0, RUNS_LIST_MAX);
}

function memoryGraphs(runs: Runs): GraphStore {
  return {
    readSequence: async (run) => runs.get(run)?.graph?.sequence,
    listNodes: async (run, after) => listMemoryNodes(runs.get(run)?.graph, after),
    listEdges: async (run, after) => listMemoryEdges(runs.get(run)?.graph, after),
    rewrite: async (run, { sequence, changes }) => {
      const rows = runs.get(run);
      if (rows === undefined || rows.head.sequence !== sequence) return "moved";
      rows.graph = writeMemoryGraph(undefined, { from: 0, changes }, sequence);
      return "rewritten";
    },
    drop: async (run) => {
      const rows = runs.get(run);
      if (rows !== undefined) rows.graph = undefined;
    },
  };
}

function listPending(runs: Runs, run: string, kind: InboxMessage["kind"] | undefined) {
  const rows = [...(runs.get(run)?.pending.values() ?? [])];
  return kind === undefined ? rows : rows.filter((row) => row.kind === kind);
}

function listSnapshots(runs: Runs, after: string) {
  return [...runs.values()]
    .flatMap(({ snapshot }) => (snapshot === undefined ? [] : [snapshot]))
    .filter(({ run }) => run > after)
    .sort((a, b) => (a.run < b.run ? -1 : 1))
    .slice(0, RUNS_LIST_MAX);
}

function clamp(limit: number, max: number): number {
  return Math.min(Math.max(limit, 0), max);
}
