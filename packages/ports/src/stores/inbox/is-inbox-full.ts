import { INBOX_BYTES_MAX, INBOX_CANCELS_MAX, INBOX_ROWS_MAX, type InboxMessage } from "./inbox.ts";

/** The unread messages of a run. */
export interface InboxLoad {
  readonly rows: number;
  readonly bytes: number;
  readonly cancels: number;
}

/**
 * Whether one more message is too many. A run has one start, and one result of each run that it
 * started: these always find room. A cancel finds it until so many wait that one more says nothing.
 */
export function isInboxFull(
  { kind, bytes }: { readonly kind: InboxMessage["kind"]; readonly bytes: number },
  load: InboxLoad,
): boolean {
  if (kind === "start" || kind === "result") return false;
  if (kind === "cancel") return load.cancels >= INBOX_CANCELS_MAX;
  return load.rows >= INBOX_ROWS_MAX || load.bytes + bytes > INBOX_BYTES_MAX;
}
