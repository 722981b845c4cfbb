import type { Head, LoopEvent } from "@turnseal/protocol";
import type { Blob } from "../blob-store/blob-store.ts";
import type { GraphWrite } from "../graph-store/graph-store.ts";
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
   * Whoever is about to carry the run gives the key that it would have kept. A store that can then
   * answers with everything that is read next; one that cannot ignores the key, and is asked.
   */
  takeEpoch(run: string, key?: Uint8Array): Promise<EpochTaken>;

  /**
   * Appends all of it or nothing: events, blobs, inbox marks, receipt, snapshot and the rows of a
   * graph are one transaction. MUST answer `fenced` when the epoch is not the run's, before it
   * looks at anything else; `duplicate` when exactly these events are there already; `conflict`
   * when others are or the head is elsewhere. MUST throw, and change nothing, when the append does
   * not fit itself (`checkAppend`), its turn has a receipt already, or rows of its graph break a
   * rule. MUST NOT resolve before the events survive a crash of this process.
   */
  append(append: Append): Promise<AppendAnswer>;

  /** At most `limit` events from `from` on, in sequence order, without gaps. */
  read(run: string, from: number, limit?: number): Promise<readonly LoopEvent[]>;

  /** Where the log stands, or undefined for a run of which no epoch was ever taken. */
  readHead(run: string): Promise<(Head & { readonly epoch: number }) | undefined>;
}

/** The most events that one read answers. */
export const READ_EVENTS_MAX = 1_000;

export interface EpochTaken {
  readonly epoch: number;
  readonly head: Head;
  /** What was there at that very head. */
  readonly found?: FoundBeside;
}

/** What is read of a run by whoever takes it over. */
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
