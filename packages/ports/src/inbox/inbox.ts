import type { JsonObject } from "@turnseal/protocol";

/** What others tell a run. Rows, moved into the log only by the run's writer. */
export interface Inbox {
  /**
   * Stores a row; MUST NOT resolve before it survives a crash. A message with the key of an earlier
   * one, also of one that was consumed, is `known` when kind and body are equal. It is `refused`
   * when they differ, when it is too large, or when the run was erased; then nothing changes.
   */
  put(message: InboxMessage): Promise<PutAnswer>;

  /** Rows that no append has consumed, oldest first, at most `INBOX_READ_MAX`. */
  peek(run: string): Promise<readonly InboxRow[]>;
}

/** The most rows that one look answers. */
export const INBOX_READ_MAX = 100;
/**
 * Bytes of the body of one row, as canonical JSON: room for the largest input of a run, and for
 * what is said beside it.
 */
export const INBOX_BODY_BYTES_MAX = 2 * 1024 * 1024;
/** UTF-16 units of the key of one row. */
export const INBOX_KEY_LENGTH_MAX = 512;

export interface InboxMessage {
  readonly run: string;
  /** Unique within the run: the same message sent twice arrives once. */
  readonly key: string;
  readonly kind: "start" | "signal" | "cancel" | "resolve" | "decide" | "answer" | "result";
  readonly body: JsonObject;
}

export interface InboxRow extends InboxMessage {
  /** ISO 8601, by the store's clock. */
  readonly receivedAt: string;
}

export const PUT_REFUSALS = ["other-message", "too-large", "erased"] as const;
export type PutRefusal = (typeof PUT_REFUSALS)[number];

export type PutAnswer =
  | { readonly kind: "stored" | "known" }
  | { readonly kind: "refused"; readonly reason: PutRefusal };
