import { canonicalize, copyJson, isPlainText, JSON_DEPTH_MAX } from "@turnseal/protocol";
import {
  INBOX_BODY_BYTES_MAX,
  INBOX_KEY_LENGTH_MAX,
  type InboxMessage,
  type PutRefusal,
} from "./inbox.ts";

export type RenderedBody =
  | { readonly kind: "rendered"; readonly text: string; readonly bytes: number }
  | { readonly kind: "refused"; readonly reason: PutRefusal };

/** The body of a message as a store keeps it, or why no store does. */
export function renderBody({ key, body }: InboxMessage): RenderedBody {
  if (key.length > INBOX_KEY_LENGTH_MAX) return { kind: "refused", reason: "too-large" };
  if (!isPlainText(key, INBOX_KEY_LENGTH_MAX)) return { kind: "refused", reason: "unreadable" };
  // Parts that are shared are written as often as they are reached: the walk that counts ends soon.
  const copied = copyJson(body, INBOX_BODY_BYTES_MAX, JSON_DEPTH_MAX);
  if (copied.kind === "refused") {
    const isTooMuch = /(?:larger|deeper) than \d+(?: bytes)?$/.test(copied.reason);
    return { kind: "refused", reason: isTooMuch ? "too-large" : "unreadable" };
  }
  return { kind: "rendered", text: canonicalize(copied.value), bytes: copied.bytes };
}
