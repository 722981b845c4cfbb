import { EMPTY_HEAD, type Head, invariant, type LoopEvent } from "@turnseal/protocol";
import { checkAppend } from "./event-log/check-append.ts";
import type { Append, AppendAnswer } from "./event-log/event-log.ts";
import { type MemoryGraph, writeMemoryGraph } from "./graph-store/memory-graphs.ts";
import type { InboxMessage, InboxRow, PutAnswer } from "./inbox/inbox.ts";
import { type InboxLoad, isInboxFull } from "./inbox/is-inbox-full.ts";
import { renderBody } from "./inbox/render-body.ts";
import type { StoredReceipt } from "./receipt-store/receipt-store.ts";
import type { RunSnapshot } from "./run-store/run-store.ts";

/** Everything that the memory keeps of one run. */
export interface MemoryRows {
  head: Head;
  epoch: number;
  readonly events: LoopEvent[];
  /** Messages to be consumed, in order of arrival. */
  readonly pending: Map<string, InboxRow & { readonly bytes: number }>;
  /** Kind and body of every message that ever came, by key. */
  readonly messages: Map<string, string>;
  readonly blobs: Map<string, Uint8Array>;
  readonly receipts: Map<number, StoredReceipt>;
  /** The observers that have not acknowledged the receipt of a turn. */
  readonly unacknowledged: Map<number, Set<string>>;
  key: Uint8Array | undefined;
  isErased: boolean;
  snapshot: RunSnapshot | undefined;
  graph: MemoryGraph | undefined;
}

export function emptyRows(): MemoryRows {
  return {
    head: EMPTY_HEAD,
    epoch: 0,
    events: [],
    pending: new Map(),
    messages: new Map(),
    blobs: new Map(),
    receipts: new Map(),
    unacknowledged: new Map(),
    key: undefined,
    isErased: false,
    snapshot: undefined,
    graph: undefined,
  };
}

/** Appends all of it or nothing: all checks come before all changes. */
export function appendRows(rows: MemoryRows, append: Append): AppendAnswer {
  const { events, after, receipt, snapshot } = append;
  const last = checkAppend(append);
  if (rows.epoch !== append.epoch) return { kind: "fenced", epoch: rows.epoch };
  if (rows.head.sequence !== after.sequence || rows.head.hash !== after.hash) {
    // The hash covers the whole chain before it, so comparing the last event is enough.
    if (rows.events[last.sequence - 1]?.hash !== last.hash)
      return { kind: "conflict", head: rows.head };
    return { kind: "duplicate", inboxIsEmpty: rows.pending.size === 0 };
  }
  invariant(receipt === undefined || !rows.receipts.has(receipt.turn), "a turn has one receipt");
  if (append.graph !== undefined)
    rows.graph = writeMemoryGraph(rows.graph, append.graph, last.sequence);
  rows.events.push(...events);
  rows.head = { sequence: last.sequence, hash: last.hash };
  for (const { digest, bytes } of append.blobs) storeBlob(rows, digest, bytes);
  for (const key of append.consumed) rows.pending.delete(key);
  if (receipt !== undefined) {
    rows.receipts.set(receipt.turn, receipt);
    rows.unacknowledged.set(receipt.turn, new Set(append.observers));
  }
  if (snapshot !== undefined) rows.snapshot = snapshot;
  return { kind: "appended", inboxIsEmpty: rows.pending.size === 0 };
}

/** Takes a message in, or says why not. */
export function putMessage(rows: MemoryRows, message: InboxMessage, nowMs: number): PutAnswer {
  const body = renderBody(message);
  if (body.kind === "refused") return body;
  if (rows.isErased) return { kind: "refused", reason: "erased" };
  const said = `${message.kind} ${body.text}`;
  const known = rows.messages.get(message.key);
  if (known !== undefined)
    return known === said ? { kind: "known" } : { kind: "refused", reason: "other-message" };
  const { kind } = message;
  if (isInboxFull({ kind, bytes: body.bytes }, measureLoad(rows)))
    return { kind: "refused", reason: "full" };
  rows.messages.set(message.key, said);
  rows.pending.set(message.key, {
    ...message,
    receivedAt: new Date(nowMs).toISOString(),
    bytes: body.bytes,
  });
  return { kind: "stored" };
}

function measureLoad({ pending }: MemoryRows): InboxLoad {
  const load = { rows: pending.size, bytes: 0, cancels: 0 };
  for (const { kind, bytes } of pending.values()) {
    load.bytes += bytes;
    if (kind === "cancel") load.cancels += 1;
  }
  return load;
}

/** Keeps a copy of the bytes, unless the run was erased. */
export function storeBlob(rows: MemoryRows, digest: string, bytes: Uint8Array): void {
  if (!rows.isErased && !rows.blobs.has(digest)) rows.blobs.set(digest, bytes.slice());
}

/** Removes the content of the run, and keeps its log. */
export function eraseRows(rows: MemoryRows): void {
  rows.blobs.clear();
  rows.pending.clear();
  rows.messages.clear();
  rows.key = undefined;
  rows.isErased = true;
}
