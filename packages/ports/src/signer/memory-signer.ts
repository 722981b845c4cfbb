import { keyIdOf } from "@turnseal/protocol/receipts";
import type { Signer } from "./signer.ts";

export interface MemorySigner extends Signer {
  /** The 32 bytes of the Ed25519 public key, base64url without padding. */
  readonly x: string;
}

/** A signer whose key is made here and is gone with the process. The key cannot be exported. */
export async function createMemorySigner(): Promise<MemorySigner> {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: "Ed25519" };
  const pair = await subtle.generateKey(algorithm, false, ["sign", "verify"]);
  // The types know of pairs for other algorithms only.
  if (!("privateKey" in pair)) throw new TypeError("Ed25519 gives no pair of keys");
  const { x: encodedKey = "" } = await subtle.exportKey("jwk", pair.publicKey);
  return {
    keyId: keyIdOf(encodedKey),
    issuer: "development",
    x: encodedKey,
    sign: async (data) =>
      new Uint8Array(await subtle.sign(algorithm, pair.privateKey, Uint8Array.from(data))),
  };
}
