import { describe, expect, test } from "vitest";
import { findMissed } from "../find-missed.test.data.ts";
import { createMemorySigner } from "./memory-signer.ts";
import type { Signer } from "./signer.ts";
import { type SignerSubject, signerContract } from "./signer-contract.ts";

async function memorySubject(change: (signer: Signer) => Partial<Signer> = () => ({})) {
  const signer = await createMemorySigner();
  return { signer: { ...signer, ...change(signer) }, publicKey: signer.x };
}

describe("a signer in memory keeps the contract", () => {
  for (const { name, run } of signerContract({ create: () => memorySubject() })) test(name, run);
});

/** The contract with subjects that are broken once they are made. */
const contract = ({ create }: { readonly create: () => Broken | Promise<Broken> }) =>
  signerContract({ create: async () => memorySubject((await create()).change) });
interface Broken {
  readonly change: (signer: Signer) => Partial<Signer>;
}
const broken = (change: Broken["change"]) => (): Broken => ({ change });

test("every sentence finds a signer that does not keep it", async () => {
  const missed = await findMissed(contract, {
    "the key id is the thumbprint of the public key": broken(() => ({ keyId: "mine" })),
    "the issuer is one of the known ones": broken(() => ({ issuer: "me" as "ci" })),
    "a signature is 64 bytes": broken(({ sign }) => ({
      sign: async (data) => (await sign(data)).slice(0, 63),
    })),
    "a signature fits its data under the public key": broken(({ sign }) => ({
      sign: async (data) => sign(data.slice(0, 1_000)),
    })),
    "a signature fits no other data": broken(({ sign }) => ({
      sign: (data) => sign(data.slice(0, 2)),
    })),
    "what is signed at once is signed each for itself": broken(({ sign }) => {
      let last = new Uint8Array();
      return {
        sign: async (data) => {
          last = Uint8Array.from(data);
          await Promise.resolve();
          return sign(last);
        },
      };
    }),
    "who signs now can be asked for again, and is of the same issuer": broken((signer) => ({
      current: async () => signer,
    })),
    "the data is left as it was": broken(({ sign }) => ({
      sign: async (data) => {
        const signature = await sign(data);
        data.fill(0);
        return signature;
      },
    })),
  });
  expect(missed).toEqual([]);
});

test("each signer in memory has a key of its own", async () => {
  const [one, other]: SignerSubject[] = [await memorySubject(), await memorySubject()];
  expect(one?.signer.keyId).not.toBe(other?.signer.keyId);
});
