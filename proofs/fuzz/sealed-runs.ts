/** Runs of the vectors that verify as they are, and ways to chain and sign what was broken. */
import { canonicalize, hashEvent, isPlainObject, type LoopEvent } from "@turnseal/protocol";
import {
  type Envelope,
  encodeForSigning,
  fromBase64,
  PAYLOAD_TYPE,
  type PublicKey,
  toBase64,
} from "@turnseal/protocol/receipts";
import type { SealedRun } from "../tamper/attack.ts";
import { readRuns } from "../tamper/read-runs.ts";
import { createSeededSigner } from "../vectors/demo-signer.ts";

export const sealedRuns: readonly SealedRun[] = readRuns();

const signer = createSeededSigner();
/** Every key of the vectors, with the signing key here. */
export const trustedKeys: readonly PublicKey[] = [
  ...new Map(
    [signer.publicKey, ...sealedRuns.flatMap(({ keys }) => keys)].map(
      ({ validUntil: _, ...key }) => [key.keyId, key],
    ),
  ).values(),
];

/**
 * Numbers and chains events again, so that what is broken in them is not found by the chain alone.
 */
export function chainAgain(events: readonly unknown[]): unknown[] {
  let previous = "";
  return events.map((event, index) => {
    if (!isPlainObject(event)) return event;
    const chained = { ...event, sequence: index + 1, previous };
    try {
      const hash = hashEvent(chained as unknown as LoopEvent);
      previous = hash;
      return { ...chained, hash };
    } catch {
      // An event without a canonical form has no hash.
      return event;
    }
  });
}

/** What a receipt says. */
export function readStatement(receipt: string): unknown {
  const { payload } = JSON.parse(receipt) as Envelope;
  return JSON.parse(new TextDecoder().decode(fromBase64(payload)));
}

/** Signs any statement as a receipt; undefined if it cannot be written. */
export function signAgain(statement: unknown): string | undefined {
  let text: string;
  try {
    text = canonicalize(statement);
  } catch {
    return undefined;
  }
  const payload = new TextEncoder().encode(text);
  const sig = toBase64(signer.signNow(encodeForSigning(PAYLOAD_TYPE, payload)));
  return canonicalize({
    payloadType: PAYLOAD_TYPE,
    payload: toBase64(payload),
    signatures: [{ keyid: signer.keyId, sig }],
  });
}
