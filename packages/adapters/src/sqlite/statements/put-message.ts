import { createHash } from "node:crypto";
import { type InboxMessage, isInboxFull, type PutAnswer } from "@turnseal/ports";
import type { Statements } from "./prepare-statements.ts";

export interface ReceivedMessage {
  readonly message: InboxMessage;
  /** The body as it is kept. */
  readonly text: string;
  readonly bytes: number;
  readonly receivedAt: string;
}

/** Takes a message in, or says why not. It runs inside a transaction. */
export function putMessage(
  { heads, inbox, blobs }: Statements,
  { message, text, bytes, receivedAt }: ReceivedMessage,
): PutAnswer {
  const { run, key, kind } = message;
  const number = heads.openNumber(run);
  if (blobs.isErased(number)) return { kind: "refused", reason: "erased" };
  // A plain digest of content could be guessed at. This one is erased with the content, and is
  // shown to nobody.
  const fingerprint = createHash("sha256").update(`${kind} ${text}`).digest();
  const known = inbox.findFingerprint(number, key);
  if (known === undefined) {
    if (isInboxFull({ kind, bytes }, inbox.measure(number)))
      return { kind: "refused", reason: "full" };
    inbox.insert({ number, message, text, fingerprint, receivedAt });
    return { kind: "stored" };
  }
  return fingerprint.equals(known)
    ? { kind: "known" }
    : { kind: "refused", reason: "other-message" };
}
