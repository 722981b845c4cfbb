/**
 * Whether a trusted key signed what is in an envelope, and may have signed it then (spec/receipt.md
 * §5).
 */
import { isInstant } from "../instant.ts";
import { fromBase64 } from "../receipt/base64.ts";
import { DEMO_KEY } from "../receipt/demo-key.ts";
import { type Envelope, encodeForSigning } from "../receipt/envelope.ts";
import { keyIdOf, type PublicKey } from "../receipt/public-key.ts";
import type { Predicate } from "../receipt/statement.ts";
import { type Finding, finding } from "./finding.ts";

export interface VerifyOptions {
  readonly keys: readonly PublicKey[];
  /** Refuses development keys and the key of the examples. */
  readonly production?: boolean;
  /** Keys that are known and not trusted, by name, each with the message for its receipts. */
  readonly untrusted?: ReadonlyMap<string, string>;
}

const SIGNATURE_BYTES = 64;

/** The trusted key that signed the payload, or what is wrong. */
export async function verifySignature(
  { payloadType, signatures }: Envelope,
  payload: Uint8Array,
  { keys, production = false, untrusted }: VerifyOptions,
): Promise<PublicKey | Finding> {
  const [signature, ...others] = signatures;
  if (signature === undefined || others.length > 0)
    return finding("SIGNATURE_MISSING", "a receipt has exactly one signature");
  const key = keys.find(({ keyId }) => keyId === signature.keyid);
  if (key === undefined)
    return finding(
      "KEY_UNKNOWN",
      untrusted?.get(signature.keyid) ?? "the key is not one of the trusted keys",
    );
  if (keyIdOf(key.x) !== key.keyId)
    return finding("KEY_MISNAMED", "the trusted key does not have the name it is listed under");
  if (production && key.x === DEMO_KEY.x)
    return finding("KEY_DEMO", "the key of the examples is published: anyone can sign with it");
  if (production && key.issuer === "development")
    return finding("KEY_DEVELOPMENT", "a development key proves nothing in production");
  const bytes = fromBase64(signature.sig);
  if (bytes?.length !== SIGNATURE_BYTES)
    return finding("SIGNATURE_INVALID", "the signature is not 64 bytes in strict base64");
  const isValid = await verifyEd25519(key, bytes, encodeForSigning(payloadType, payload));
  return isValid ? key : finding("SIGNATURE_INVALID", "the signature does not fit the statement");
}

/** The fault of this key for this statement, or undefined. */
export function checkKeyUse(
  key: PublicKey,
  { key: named, closedAt }: Pick<Predicate, "key" | "closedAt">,
): Finding | undefined {
  if (key.keyId !== named.id)
    return finding("KEY_MISMATCH", "the statement names another key than the signature");
  if (key.issuer !== named.issuer)
    return finding("KEY_ISSUER_MISMATCH", `the key is of issuer ${key.issuer}`);
  return wasInUse(key, closedAt)
    ? undefined
    : finding("KEY_NOT_VALID_THEN", "the key was not in use when the turn closed");
}

/** A time that cannot be read is not a time in which the key was in use. */
function wasInUse({ validFrom, validUntil }: PublicKey, at: string): boolean {
  const until = validUntil ?? at;
  return isInstant(validFrom) && isInstant(until) && validFrom <= at && at <= until;
}

/** Ed25519 by WebCrypto, which Node and browsers share. */
async function verifyEd25519(
  trusted: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array,
): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: trusted.x };
    const key = await subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"]);
    return await subtle.verify({ name: "Ed25519" }, key, signature, Uint8Array.from(data));
  } catch {
    return false;
  }
}
