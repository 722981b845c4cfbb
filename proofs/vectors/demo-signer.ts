/** Signs with keys made from published seeds: for vectors and tests, and for nothing else. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import type { Signer } from "@turnseal/ports";
import { type Issuer, keyIdOf, type PublicKey } from "@turnseal/protocol/receipts";

const pkcs8Header = Buffer.from("302e020100300506032b657004220420", "hex");

/** A signer and the key that verifies it; the default byte is that of the demo key. */
export interface SeededSigner extends Signer {
  readonly publicKey: PublicKey;
  signNow(data: Uint8Array): Uint8Array;
}

/** The signer whose seed is one byte, 32 times. */
export function createSeededSigner(byte = 0x42, issuer: Issuer = "development"): SeededSigner {
  const privateKey = readSeed(Buffer.alloc(32, byte));
  const encodedKey = createPublicKey(privateKey).export({ format: "jwk" }).x ?? "";
  const keyId = keyIdOf(encodedKey);
  const signNow = (data: Uint8Array): Uint8Array => new Uint8Array(sign(null, data, privateKey));
  const publicKey = { keyId, x: encodedKey, issuer, validFrom: "2026-01-01T00:00:00.000Z" };
  return { keyId, issuer, publicKey, signNow, sign: async (data) => signNow(data) };
}

function readSeed(seed: Buffer): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([pkcs8Header, seed]),
    format: "der",
    type: "pkcs8",
  });
}
