/** The keys that a verifier trusts (spec/receipt.md §2). */
import { canonicalize, isPlainObject } from "../canonical-json.ts";
import { fromHex } from "../hmac.ts";
import { isInstant } from "../instant.ts";
import { sha256Hex } from "../sha256.ts";
import { hasFields, type Is, isOneOf, isText } from "../shape.ts";
import { base64Url, fromBase64Url } from "./base64.ts";

/**
 * The issuers of keys: the key of a developer's machine proves nothing to others, and production
 * refuses it.
 */
export const ISSUERS = ["development", "hosted", "ci"] as const;
export type Issuer = (typeof ISSUERS)[number];

/** A key that a verifier trusts, with the time in which it was in use. */
export interface PublicKey {
  readonly keyId: string;
  /** The 32 bytes of the Ed25519 public key, base64url without padding. */
  readonly x: string;
  readonly issuer: Issuer;
  /** Instants with milliseconds, in UTC; both ends belong to the time. */
  readonly validFrom: string;
  readonly validUntil?: string;
}

const KEY_BYTES = 32;

/** Keys of one set. */
export const KEY_SET_MAX = 1_024;

/** The name of a key: its JWK thumbprint (RFC 7638), so that no other key can have it. */
export function keyIdOf(encodedKey: string): string {
  const jwk = { crv: "Ed25519", kty: "OKP", x: encodedKey };
  return base64Url(fromHex(sha256Hex(canonicalize(jwk))));
}

/** Reads a set of keys from outside, `{ "keys": [...] }`, or answers what is wrong with it. */
export function parseKeys(value: unknown): readonly PublicKey[] | { readonly problem: string } {
  const keys = isPlainObject(value) ? value["keys"] : undefined;
  if (!Array.isArray(keys)) return { problem: "a key set is an object with the list `keys`" };
  if (keys.length > KEY_SET_MAX) return { problem: `a key set holds at most ${KEY_SET_MAX} keys` };
  const names = new Set<string>();
  for (const [index, key] of keys.entries()) {
    if (!isPublicKey(key)) return { problem: `key ${index} is not a public key with its times` };
    if (keyIdOf(key.x) !== key.keyId)
      return { problem: `key ${index} is not listed under its own name` };
    if (names.has(key.keyId)) return { problem: `key ${index} is listed twice` };
    names.add(key.keyId);
  }
  return keys;
}

const isPublicKey: Is<PublicKey> = hasFields(
  {
    keyId: isText,
    x: (value): value is string =>
      typeof value === "string" && fromBase64Url(value)?.length === KEY_BYTES,
    issuer: isOneOf(ISSUERS),
    validFrom: isInstant,
  },
  { validUntil: isInstant },
);
