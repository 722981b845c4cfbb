/**
 * Keys of a seed: one without end, or one after the other, each for a while. A worker that opened
 * its signer long ago must not seal with what it had then.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { SEALING_MS_MAX, type Signer } from "@turnseal/ports";
import { keyIdOf, type PublicKey } from "@turnseal/protocol/receipts";

export interface SigningKeys {
  /** The signer of a worker that opens it now. */
  open(nowMs: number): Signer;
  /** The keys for a stranger: every key that there has been. */
  list(): readonly PublicKey[];
}

/** The signer of a worker whose keys have all ended. */
export const endedSigner = (signer: Signer): Signer => ({
  ...signer,
  current: async () => undefined,
});

/** Without a period there is one key, and it has no end. */
export function createSigningKeys(startMs: number, periodMs: number | undefined): SigningKeys {
  let used = 0;
  const indexAt = (nowMs: number): number =>
    periodMs === undefined ? 0 : Math.max(0, Math.floor((nowMs - startMs) / periodMs));
  const signerAt = (nowMs: number): Signer => {
    used = Math.max(used, indexAt(nowMs));
    return signerOf(indexAt(nowMs));
  };
  return {
    open: (nowMs) =>
      periodMs === undefined
        ? signerAt(nowMs)
        : { ...signerAt(nowMs), current: async (atMs) => signerAt(atMs) },
    list: () =>
      Array.from({ length: used + 1 }, (_, index) => {
        const { keyId, issuer } = signerOf(index);
        const fromMs = startMs + index * (periodMs ?? 0);
        return {
          ...{ keyId, issuer, x: textOf(keyOf(index)) },
          validFrom: index === 0 ? "2020-01-01T00:00:00.000Z" : new Date(fromMs).toISOString(),
          // A signer may still use it up to its end.
          ...(periodMs === undefined
            ? {}
            : { validUntil: new Date(fromMs + periodMs + SEALING_MS_MAX).toISOString() }),
        };
      }),
  };
}

/** The bytes before a seed in the PKCS #8 form of an Ed25519 key. */
const pkcs8Prefix = "302e020100300506032b657004220420";

const keys = new Map<number, KeyObject>();

/** A key from a fixed seed, so that two simulations of one seed agree to the byte. */
function keyOf(index: number): KeyObject {
  const seed = (index + 7).toString(16).padStart(64, "0");
  const made = (): KeyObject =>
    createPrivateKey({
      key: Buffer.from(`${pkcs8Prefix}${seed}`, "hex"),
      format: "der",
      type: "pkcs8",
    });
  const key = keys.get(index) ?? made();
  keys.set(index, key);
  return key;
}

function textOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: "jwk" }).x ?? "";
}

const signers = new Map<number, Signer>();

function signerOf(index: number): Signer {
  const key = keyOf(index);
  const signer: Signer = signers.get(index) ?? {
    keyId: keyIdOf(textOf(key)),
    issuer: "development",
    sign: async (data) => new Uint8Array(sign(null, data, key)),
  };
  signers.set(index, signer);
  return signer;
}
