/**
 * A receipt as it stands in a store. Its signed part is JSON in base64, and a compressor cannot see
 * repeats in base64. So it is written as its own text, after the line of the envelope, where that
 * gives the same base64 again. Otherwise the line is the whole envelope.
 */
import { StoreError } from "@turnseal/ports";
import type { Envelope } from "@turnseal/protocol/receipts";
import { packText, unpackText } from "./pack-text.ts";

export function packEnvelope(envelope: Envelope): Uint8Array {
  const { payload } = envelope;
  const bytes = Buffer.from(payload, "base64");
  const text = bytes.toString("utf8");
  // The place of the payload among the fields is kept.
  return Buffer.from(text, "utf8").toString("base64") === payload && text !== ""
    ? packText(`${JSON.stringify({ ...envelope, payload: "" })}\n${text}`)
    : packText(JSON.stringify(envelope));
}

export function unpackEnvelope(packed: Uint8Array): Envelope {
  try {
    const text = unpackText(packed);
    // JSON that was written here holds no line break.
    const end = text.indexOf("\n");
    if (end === -1) return JSON.parse(text);
    const payload = Buffer.from(text.slice(end + 1), "utf8").toString("base64");
    return { ...JSON.parse(text.slice(0, end)), payload };
  } catch (error) {
    throw new StoreError("STORE_CORRUPT", "the envelope of a receipt cannot be read", error);
  }
}
