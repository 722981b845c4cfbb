/** One signing key for all processes, made from a fixed seed: it guards nothing. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { Signer } from "@turnseal/ports";
import { keyIdOf, type PublicKey } from "@turnseal/protocol/receipts";

// An Ed25519 private key in PKCS #8 is this prefix and 32 bytes.
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");
const privateKey = createPrivateKey({
  key: Buffer.concat([pkcs8Prefix, Buffer.alloc(32, 7)]),
  format: "der",
  type: "pkcs8",
});
const publicBytes = createPublicKey(privateKey).export({ format: "jwk" }).x ?? "";

export const crashSigner: Signer = {
  keyId: keyIdOf(publicBytes),
  issuer: "development",
  sign: async (data) => sign(null, data, privateKey),
};

export const crashPublicKey: PublicKey = {
  keyId: keyIdOf(publicBytes),
  x: publicBytes,
  issuer: "development",
  validFrom: "2020-01-01T00:00:00.000Z",
};
