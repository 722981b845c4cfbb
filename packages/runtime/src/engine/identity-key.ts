/**
 * The key by which workers know their engine: it signs its requests, and workers refuse all others.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

/** A public key as engines and workers write it. */
const identityKey = /^publickeyv1_[1-9A-HJ-NP-Za-km-z]{40,50}$/;

export function isIdentityKey(text: string): boolean {
  return identityKey.test(text);
}

/** A new private key, as PKCS8 in PEM. */
export function createIdentity(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The public half of a private key in PEM. */
export function identityKeyOf(pem: string): string {
  const encoded = createPublicKey(createPrivateKey(pem)).export({ format: "jwk" }).x ?? "";
  return `${PREFIX}${toBase58(Buffer.from(encoded, "base64url"))}`;
}

/** A public key as engines write it, to check signatures with. */
export function readIdentityKey(text: string): KeyObject {
  const encoded = fromBase58(text.slice(PREFIX.length)).toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: encoded }, format: "jwk" });
}

const PREFIX = "publickeyv1_";
const KEY_BYTES = 32;

const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

function fromBase58(text: string): Buffer {
  let rest = 0n;
  for (const digit of text) rest = rest * 58n + BigInt(digits.indexOf(digit));
  return Buffer.from(rest.toString(16).padStart(2 * KEY_BYTES, "0"), "hex");
}

/** Digits without look-alikes; a leading zero byte is a leading 1. */
export function toBase58(bytes: Uint8Array): string {
  let rest = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (; rest > 0n; rest /= 58n) text = `${digits[Number(rest % 58n)]}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros === -1 ? bytes.length : zeros) + text;
}
