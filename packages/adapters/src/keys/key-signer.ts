/** Private keys become signers here, and leave them no more. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import type { Signer } from "@turnseal/ports";
import { type Issuer, keyIdOf } from "@turnseal/protocol/receipts";

/** A signer that also tells its public half, for the key set of a verifier. */
export interface KeySigner extends Signer {
  /** The 32 bytes of the Ed25519 public key, base64url without padding. */
  readonly x: string;
  /** ISO 8601: from when on it is in use. Absent: it has no begin. */
  readonly validFrom?: string;
  /** ISO 8601: until when it is in use. Absent: it has no end. */
  readonly validUntil?: string;
}

/**
 * Makes an Ed25519 private key, as PKCS8 in PEM. Its id never begins with a dash: a command line
 * would read such an id as an option.
 */
export function createKeyText(): string {
  for (;;) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const encodedKey = publicKey.export({ format: "jwk" }).x ?? "";
    if (!keyIdOf(encodedKey).startsWith("-"))
      return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  }
}

/** The signer of a private key in PEM; undefined when the text is none, or not of Ed25519. */
export function readKeyText(text: string, issuer: Issuer): KeySigner | undefined {
  return toSigner(() => createPrivateKey(text), issuer);
}

/** A signer whose key is in this process alone, and is lost with it. */
export function memoryKey(): KeySigner {
  const signer = readKeyText(createKeyText(), "development");
  if (signer === undefined) throw new Error("a new key is not readable");
  return signer;
}

export const SEED_BYTES = 32;

// The PKCS8 header before the seed of an Ed25519 key (RFC 8410).
const pkcs8Header = Buffer.from("302e020100300506032b657004220420", "hex");

/** The signer of a seed of 32 bytes. */
export function readSeed(seed: Uint8Array, issuer: Issuer): KeySigner | undefined {
  const key = Buffer.concat([pkcs8Header, seed]);
  return toSigner(() => createPrivateKey({ key, format: "der", type: "pkcs8" }), issuer);
}

function toSigner(read: () => KeyObject, issuer: Issuer): KeySigner | undefined {
  const key = readSafely(read);
  if (key === undefined) return undefined;
  const encodedKey = createPublicKey(key).export({ format: "jwk" }).x;
  if (encodedKey === undefined) return undefined;
  return {
    keyId: keyIdOf(encodedKey),
    issuer,
    x: encodedKey,
    sign: async (data) => new Uint8Array(sign(null, data, key)),
  };
}

// A key parser's error text may repeat parts of the key, so it is dropped.
function readSafely(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}
