import { canonicalize } from "@turnseal/protocol";
import { INBOX_BODY_BYTES_MAX, INBOX_KEY_LENGTH_MAX, type InboxMessage } from "./inbox.ts";

/**
 * The body of a message as a store keeps it, or undefined when the message is larger than a row may
 * be.
 */
export function renderBody({ key, body }: InboxMessage): string | undefined {
  if (key.length > INBOX_KEY_LENGTH_MAX) return undefined;
  const text = canonicalize(body);
  const bytes = new TextEncoder().encode(text).length;
  return bytes > INBOX_BODY_BYTES_MAX ? undefined : text;
}
