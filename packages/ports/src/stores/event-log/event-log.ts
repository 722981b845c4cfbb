import type { Head, LoopEvent } from "@turnseal/protocol";
import type { GraphWrite } from "@turnseal/protocol/graph";
import type { Blob } from "../blob-store/blob-store.ts";
import type { InboxRow } from "../inbox/inbox.ts";
import type { StoredReceipt } from "../receipt-store/receipt-store.ts";
import type { RunSnapshot } from "../run-store/run-store.ts";

/**
 * Ordered, append-only facts of runs. A head row {sequence, hash, epoch} per run arbitrates between
 * writers.
 */
export interface EventLog {
  /**
   * Makes the caller the run's only writer and answers with its epoch, which MUST be higher than
   * every earlier one. A run that has no log yet gets one. From the answer on, an append under an
   * earlier epoch MUST be fenced.
   *
   * A worker that is about to advance the run passes the key that it would keep. A store that can
   * then returns everything that is read next; other stores ignore the key, and are read
   * afterwards.
   */
  takeEpoch(run: string, key?: Uint8Array): Promise<EpochTaken>;

  /**
   * Appends all of it or nothing: events, blobs, inbox marks, receipt with its rows of the outbox,
   * snapshot and the rows of a graph are one transaction. MUST answer `fenced` when the epoch is
   * not the run's, before it looks at anything else; `duplicate` when exactly these events are
   * there already; `conflict` when others are or the head is elsewhere. MUST throw, and change
   * nothing, when the append does not fit itself (`checkAppend`), its turn has a receipt already,
   * or rows of its graph break a rule. MUST NOT resolve before the events survive a crash of this
   * process.
   */
  append(append: Append): Promise<AppendAnswer>;

  /** At most `limit` events from `from` on, in sequence order, without gaps. */
  read(run: string, from: number, limit?: number): Promise<readonly LoopEvent[]>;

  /** The head of the log; undefined for a run without an epoch. */
  readHead(run: string): Promise<(Head & { readonly epoch: number }) | undefined>;
}

/** The most events that one read answers. */
export const READ_EVENTS_MAX = 1_000;

export interface EpochTaken {
  readonly epoch: number;
  readonly head: Head;
  /** The rows that belong to that head. */
  readonly found?: FoundBeside;
}

/** The reads of a run for its next worker. */
export interface FoundBeside {
  /** As `runs.read` answers. */
  readonly snapshot: RunSnapshot | undefined;
  /** As `blobs.keepKey` answers. */
  readonly key: Uint8Array | undefined;
  /** As `inbox.peek` answers; absent for a run that has ended, which takes nothing in. */
  readonly inbox?: readonly InboxRow[];
}

export interface Append {
  readonly run: string;
  readonly epoch: number;
  /** The head that these events follow. */
  readonly after: Head;
  /** MUST NOT be empty. Each is of this run and epoch and names the one before it. */
  readonly events: readonly LoopEvent[];
  readonly blobs: readonly Blob[];
  /** Keys of inbox rows that these events have taken in. */
  readonly consumed: readonly string[];
  readonly receipt?: StoredReceipt;
  /** The observers that hear of the receipt. A store without an outbox ignores them. */
  readonly observers?: readonly string[];
  readonly snapshot?: RunSnapshot;
  /** Of a run whose graph is kept. A store without graphs ignores it. */
  readonly graph?: GraphWrite;
}

/** `inboxIsEmpty` is true when no row of the run waits to be consumed. */
export type AppendAnswer =
  | { readonly kind: "appended"; readonly inboxIsEmpty: boolean }
  | { readonly kind: "duplicate"; readonly inboxIsEmpty: boolean }
  | { readonly kind: "conflict"; readonly head: Head }
  | { readonly kind: "fenced"; readonly epoch: number };
