import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { Signer } from "@turnseal/ports";
import { keyIdOf, type PublicKey } from "@turnseal/protocol/receipts";

/** The bytes before a seed in the PKCS #8 form of an Ed25519 key. */
const pkcs8Prefix = "302e020100300506032b657004220420";

/** A key from a fixed seed, so that two simulations of one seed agree to the byte. */
const privateKey = createPrivateKey({
  key: Buffer.from(`${pkcs8Prefix}${"07".repeat(32)}`, "hex"),
  format: "der",
  type: "pkcs8",
});
const { x: keyText = "" } = createPublicKey(privateKey).export({ format: "jwk" });
const keyId = keyIdOf(keyText);

export const signer: Signer = {
  keyId,
  issuer: "development",
  sign: async (data) => new Uint8Array(sign(null, data, privateKey)),
};

export const verificationKey: PublicKey = {
  keyId,
  x: keyText,
  issuer: "development",
  validFrom: "2020-01-01T00:00:00.000Z",
};
