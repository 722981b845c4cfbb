/** The DSSE envelope of a receipt (spec/receipt.md §2). */
import { sha256Hex } from "../sha256.ts";

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
