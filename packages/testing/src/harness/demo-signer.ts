import { createPrivateKey, sign } from "node:crypto";
import type { Signer } from "@turnseal/ports";
import { DEMO_KEY } from "@turnseal/protocol/receipts";

/** The header of an Ed25519 private key in PKCS 8. */
const HEADER = "302e020100300506032b657004220420";

/**
 * Signs with the demo key, whose seed is published: what it signs shows that it was tested, and
 * proves nothing.
 */
export function openDemoSigner(): Signer {
  const privateKey = createPrivateKey({
    key: Buffer.concat([Buffer.from(HEADER, "hex"), Buffer.alloc(32, 0x42)]),
    format: "der",
    type: "pkcs8",
  });
  const { keyId, issuer } = DEMO_KEY;
  return { keyId, issuer, sign: async (data) => new Uint8Array(sign(null, data, privateKey)) };
}
