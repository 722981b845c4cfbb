/** The DSSE envelope of a receipt (spec/receipt.md §2). */
import { canonicalize, isPlainObject } from "../canonical-json.ts";
import { sha256Hex } from "../sha256.ts";
import { type Finding, finding } from "./finding.ts";

export const PAYLOAD_TYPE = "application/vnd.in-toto+json";

export interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly EnvelopeSignature[];
}

export interface EnvelopeSignature {
  readonly keyid: string;
  readonly sig: string;
}

/** The bytes that are signed: DSSE's pre-authentication encoding, version 1. */
export function encodeForSigning(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = new TextEncoder().encode(payloadType);
  const header = new TextEncoder().encode(
    `DSSEv1 ${type.length} ${payloadType} ${payload.length} `,
  );
  const encoded = new Uint8Array(header.length + payload.length);
  encoded.set(header);
  encoded.set(payload, header.length);
  return encoded;
}

/** The name of a receipt: the digest of its signed statement. */
export function receiptId(payload: Uint8Array): string {
  return `sha256:${sha256Hex(payload)}`;
}

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

function isEnvelope(value: unknown): value is Envelope & Record<string, unknown> {
  if (!isPlainObject(value)) return false;
  const { payloadType, payload, signatures, ...unknown } = value;
  return (
    Object.keys(unknown).length === 0 &&
    typeof payloadType === "string" &&
    typeof payload === "string" &&
    Array.isArray(signatures) &&
    signatures.every(isSignature)
  );
}

function isSignature(value: unknown): value is EnvelopeSignature {
  if (!isPlainObject(value)) return false;
  const { keyid, sig, ...unknown } = value;
  return Object.keys(unknown).length === 0 && typeof keyid === "string" && typeof sig === "string";
}

/** The canonical form, or undefined for what has none. */
export function renderCanonically(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}
