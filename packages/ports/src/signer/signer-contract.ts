import { strict as assert } from "node:assert";
import { ISSUERS, keyIdOf } from "@turnseal/protocol/receipts";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import type { Signer } from "./signer.ts";

export interface SignerSubject {
  readonly signer: Signer;
  /** The public half of its key, base64url without padding. */
  readonly publicKey: string;
}

const AT_ONCE = 50;
const LARGE_BYTES = 1_000_000;

/** The contract of every signer. */
export function signerContract(options: ContractOptions<SignerSubject>): ContractCase[] {
  return bindContract(
    {
      "the key id is the thumbprint of the public key": async ({ signer, publicKey }) => {
        assert.equal(signer.keyId, keyIdOf(publicKey));
      },
      "the issuer is one of the known ones": async ({ signer }) => {
        assert.ok((ISSUERS as readonly string[]).includes(signer.issuer), signer.issuer);
      },
      "a signature is 64 bytes": async ({ signer }) => {
        for (const data of samples()) assert.equal((await signer.sign(data)).length, 64);
      },
      "a signature fits its data under the public key": async ({ signer, publicKey }) => {
        for (const data of samples())
          assert.ok(await fits(publicKey, data, await signer.sign(data)), `${data.length} bytes`);
      },
      "a signature fits no other data": async ({ signer, publicKey }) => {
        const signature = await signer.sign(new Uint8Array([1, 2, 3]));
        for (const other of [[], [1, 2], [1, 2, 4], [1, 2, 3, 0]])
          assert.equal(await fits(publicKey, Uint8Array.from(other), signature), false);
      },
      "what is signed at once is signed each for itself": async ({ signer, publicKey }) => {
        const all = Array.from({ length: AT_ONCE }, (_, index) => new Uint8Array([index, 7]));
        const signatures = await Promise.all(all.map((data) => signer.sign(data)));
        for (const [index, data] of all.entries())
          assert.ok(await fits(publicKey, data, signatures[index] ?? new Uint8Array()));
      },
      "who signs now can be asked for again, and is of the same issuer": async ({ signer }) => {
        const current = await signer.current?.(Date.now());
        if (current === undefined) return;
        assert.equal(current.issuer, signer.issuer);
        assert.ok(current.current !== undefined, "whoever signs now may end, too");
      },
      "the data is left as it was": async ({ signer }) => {
        const data = new Uint8Array([1, 2, 3]);
        await signer.sign(data);
        assert.deepEqual([...data], [1, 2, 3]);
      },
    },
    options,
  );
}

function samples(): Uint8Array[] {
  return [new Uint8Array(), new Uint8Array([0]), new Uint8Array(LARGE_BYTES).fill(7)];
}

/** Verifies as a stranger would: with the public half alone. */
async function fits(publicKey: string, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey };
  const key = await subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"]);
  return subtle.verify({ name: "Ed25519" }, key, Uint8Array.from(signature), Uint8Array.from(data));
}
