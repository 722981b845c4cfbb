import { withoutName } from "@turnseal/folds";
import type { ModelMessage } from "@turnseal/protocol";
import { reserveFiles } from "./message-files.ts";

// A conversation repeats its settings and messages in every round: each is measured once, so that a
// long one does not cost its square.
const measured = new WeakMap<object, number>();

/** The bytes of a request as JSON, of its settings and of the messages as they were measured. */
export function measureRequest(settings: object, messageBytes: number): number {
  const comma = Object.keys(settings).length === 0 ? 0 : 1;
  return measureOnce(settings) + comma + MESSAGES_BYTES + messageBytes;
}

/** The bytes of messages in a list, with the commas between them. */
export function measureMessages(messages: readonly ModelMessage[]): number {
  const commas = Math.max(0, messages.length - 1);
  return messages.reduce((sum, message) => sum + measureMessage(message), commas);
}

export function measureMessage(message: ModelMessage): number {
  const known = measured.get(message);
  if (known !== undefined) return known;
  // The bytes of a file are no words: as many are reserved as tokens that it can be read as.
  const bytes = measureOnce(withoutName(message)) + reserveFiles(message);
  measured.set(message, bytes);
  return bytes;
}

/** The bytes around the list of messages. */
const MESSAGES_BYTES = '"messages":[]'.length;

function measureOnce(value: object): number {
  const known = measured.get(value);
  if (known !== undefined) return known;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  measured.set(value, bytes);
  return bytes;
}
