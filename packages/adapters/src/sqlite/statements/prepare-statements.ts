import type { DatabaseSync } from "node:sqlite";
import { type BlobStatements, blobStatements } from "./blob-statements.ts";
import { type CacheStatements, cacheStatements } from "./cache-statements.ts";
import { type EventStatements, eventStatements } from "./event-statements.ts";
import { type GraphStatements, graphStatements } from "./graph-statements.ts";
import { type HeadStatements, headStatements } from "./head-statements.ts";
import { type InboxStatements, inboxStatements } from "./inbox-statements.ts";
import { type OutboxStatements, outboxStatements } from "./outbox-statements.ts";
import { type ReceiptStatements, receiptStatements } from "./receipt-statements.ts";
import { type SnapshotStatements, snapshotStatements } from "./snapshot-statements.ts";
import { type ValueStatements, valueStatements } from "./value-statements.ts";

/** Everything that is ever said to the database, prepared once. */
export interface Statements {
  readonly heads: HeadStatements;
  readonly events: EventStatements;
  readonly inbox: InboxStatements;
  readonly blobs: BlobStatements;
  readonly receipts: ReceiptStatements;
  readonly outbox: OutboxStatements;
  readonly snapshots: SnapshotStatements;
  readonly calls: CacheStatements;
  readonly values: ValueStatements;
  readonly graphs: GraphStatements;
}

export function prepareStatements(db: DatabaseSync): Statements {
  return {
    heads: headStatements(db),
    events: eventStatements(db),
    inbox: inboxStatements(db),
    blobs: blobStatements(db),
    receipts: receiptStatements(db),
    outbox: outboxStatements(db),
    snapshots: snapshotStatements(db),
    calls: cacheStatements(db),
    values: valueStatements(db),
    graphs: graphStatements(db),
  };
}
