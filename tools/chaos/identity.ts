/** What the engine signs its requests with, so that workers answer nobody else. */
import { generateKeyPairSync } from "node:crypto";

export interface Identity {
  /** The private key, for the engine. */
  readonly pem: string;
  /** The public one, as workers are given it. */
  readonly key: string;
}

const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

export function createIdentity(): Identity {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  let rest = BigInt(`0x${raw.toString("hex")}`);
  let text = "";
  for (; rest > 0n; rest /= 58n) text = `${digits[Number(rest % 58n)]}${text}`;
  const zeros = raw.findIndex((byte) => byte !== 0);
  return {
    pem: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    key: `publickeyv1_${"1".repeat(zeros)}${text}`,
  };
}
