/** The form of an envelope that a verifier accepts (spec/receipt.md §2). */
import { type Envelope, PAYLOAD_TYPE } from "../receipt/envelope.ts";
import { hasOnly, isListOf, isText } from "../shape.ts";
import { type Finding, finding } from "./finding.ts";
import { renderCanonically } from "./render-canonically.ts";

/**
 * Reads the text of a receipt. It has one form: canonical JSON, and at most the line feed that ends
 * a file.
 */
export function parseEnvelope(text: string): Envelope | Finding {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return finding("RECEIPT_MALFORMED", "the receipt is not JSON");
  }
  if (!isEnvelope(value)) return finding("RECEIPT_MALFORMED", "the receipt is not a DSSE envelope");
  const form = renderCanonically(value);
  if (form === undefined) return finding("RECEIPT_MALFORMED", "the receipt has no canonical form");
  if (form !== text.replace(/\n$/, ""))
    return finding("RECEIPT_NOT_CANONICAL", "the envelope is not canonical JSON");
  if (value.payloadType !== PAYLOAD_TYPE)
    return finding("RECEIPT_TYPE_UNKNOWN", "the payload type is not in-toto's");
  return value;
}

const isEnvelope = hasOnly({
  payloadType: isText,
  payload: isText,
  signatures: isListOf(hasOnly({ keyid: isText, sig: isText })),
});
