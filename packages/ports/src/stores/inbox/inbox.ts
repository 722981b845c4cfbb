import type { JsonObject } from "@turnseal/protocol";

/** Messages to a run, as rows. Only the run's writer moves them into the log. */
export interface Inbox {
  /**
   * Stores a row; MUST NOT resolve before it survives a crash. A message with the key of an earlier
   * one, also of a consumed one, is `known` when kind and body are equal. It is `refused` when they
   * differ, when it is too large or cannot be kept as it is, when the inbox is full, or when the
   * run was erased; then nothing changes. MUST NOT throw because of a message's content.
   */
  put(message: InboxMessage): Promise<PutAnswer>;

  /**
   * Rows that no append has consumed, oldest first, at most `INBOX_READ_MAX`; of one kind alone
   * where it is named.
   */
  peek(run: string, kind?: InboxMessage["kind"]): Promise<readonly InboxRow[]>;

  /**
   * True when a row waits that no append has consumed; of one kind where it is named. MUST NOT read
   * bodies: an acting worker calls this several times a second.
   */
  has(run: string, kind?: InboxMessage["kind"]): Promise<boolean>;

  /**
   * Runs with rows that no append has consumed, also those without an event, in order of their ids,
   * at most `RUNS_LIST_MAX` after `after`.
   */
  listTold(after?: string): Promise<readonly string[]>;
}

/** The most rows that one look answers. */
export const INBOX_READ_MAX = 100;
/**
 * Bytes of the body of one row, as canonical JSON: room for the largest input of a run, and its
 * other fields.
 */
export const INBOX_BODY_BYTES_MAX = 2 * 1024 * 1024;
/**
 * Rows that may wait for one run before its inbox is full. Starts, results and cancels are no part
 * of what is refused: without them a run would hang.
 */
export const INBOX_ROWS_MAX = 1_000;
/** Bytes of the bodies that may wait for one run, together. */
export const INBOX_BYTES_MAX = 32 * 1024 * 1024;
/** Cancels that may wait for one run, however full its inbox is. */
export const INBOX_CANCELS_MAX = 16;
/** UTF-16 units of the key of one row. */
export const INBOX_KEY_LENGTH_MAX = 512;

export const INBOX_KINDS = [
  "start",
  "cancel",
  "retry",
  "signal",
  "resolve",
  "decide",
  "answer",
  "result",
  "reconcile",
  "adopt",
  "revoke",
] as const;

export interface InboxMessage {
  readonly run: string;
  /** Unique within the run: the same message sent twice arrives once. */
  readonly key: string;
  readonly kind: (typeof INBOX_KINDS)[number];
  readonly body: JsonObject;
}

export interface InboxRow extends InboxMessage {
  /** ISO 8601, by the store's clock. */
  readonly receivedAt: string;
}

export const PUT_REFUSALS = ["other-message", "too-large", "unreadable", "full", "erased"] as const;
export type PutRefusal = (typeof PUT_REFUSALS)[number];

export type PutAnswer =
  | { readonly kind: "stored" | "known" }
  | { readonly kind: "refused"; readonly reason: PutRefusal };
