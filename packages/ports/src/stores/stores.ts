import type { BlobStore } from "./blob-store/blob-store.ts";
import type { CallCache } from "./call-cache/call-cache.ts";
import type { EventLog } from "./event-log/event-log.ts";
import type { GraphStore } from "./graph-store/graph-store.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { ReceiptStore } from "./receipt-store/receipt-store.ts";
import type { RunLeases } from "./run-leases/run-leases.ts";
import type { RunStore } from "./run-store/run-store.ts";

/** The five stores of runs. They share one transaction, so they come from one place. */
export interface Stores {
  readonly log: EventLog;
  readonly inbox: Inbox;
  readonly blobs: BlobStore;
  readonly receipts: ReceiptStore;
  readonly runs: RunStore;
  /** Which calls gave what. A store without it keeps none. */
  readonly calls?: CallCache;
  /** The graphs of runs that have plans. A store without it keeps none. */
  readonly graphs?: GraphStore;
  /** Keeps receipts until observers have heard of them. Without it, no observer hears of one. */
  readonly outbox?: Outbox;
  /** The lease of a run's driver. Without it, only callers of one host wait for each other. */
  readonly leases?: RunLeases;
}
