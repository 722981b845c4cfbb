import { createHash } from "node:crypto";
import type { InboxMessage, PutAnswer } from "@turnseal/ports";
import type { Statements } from "./statements/prepare-statements.ts";

export interface ReceivedMessage {
  readonly message: InboxMessage;
  /** The body as it is kept. */
  readonly text: string;
  readonly receivedAt: string;
}

/** Takes a message in, or says why not. It runs inside a transaction. */
export function putMessage(
  { heads, inbox, blobs }: Statements,
  { message, text, receivedAt }: ReceivedMessage,
): PutAnswer {
  const { run, key, kind } = message;
  const number = heads.openNumber(run);
  if (blobs.isErased(number)) return { kind: "refused", reason: "erased" };
  // A plain digest of content could be guessed at. This one is erased with the content, and is
  // shown to nobody.
  const fingerprint = createHash("sha256").update(`${kind} ${text}`).digest();
  const known = inbox.findFingerprint(number, key);
  if (known === undefined) {
    inbox.insert({ number, message, text, fingerprint, receivedAt });
    return { kind: "stored" };
  }
  return fingerprint.equals(known)
    ? { kind: "known" }
    : { kind: "refused", reason: "other-message" };
}
