import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SignerSubject, signerContract } from "@turnseal/ports/contracts";
import { afterAll, describe, expect, test } from "vitest";
import { fileKeys } from "./file-keys.ts";
import { createKeyText, type KeySigner, readKeyText, readSeed } from "./key-signer.ts";
import { signerFromEnvironment } from "./signer-from-environment.ts";

const folder = mkdtempSync(join(tmpdir(), "turnseal-signers-"));
afterAll(() => rmSync(folder, { recursive: true }));

function subjectOf(signer: KeySigner | undefined): SignerSubject {
  if (signer === undefined) throw new Error("there is no signer");
  return { signer, publicKey: signer.x };
}

test("no key that is made has an id that a command line reads as an option", () => {
  const ids = Array.from({ length: 300 }, () => readKeyText(createKeyText(), "ci")?.keyId ?? "-");
  expect(ids.filter((id) => id.startsWith("-"))).toEqual([]);
});

const signers: Record<string, () => SignerSubject | Promise<SignerSubject>> = {
  "a folder": async () => subjectOf(await fileKeys({ folder }).openSigner()),
  "a text in PEM": () => subjectOf(readKeyText(createKeyText(), "ci")),
  "a seed": () => subjectOf(readSeed(new Uint8Array(32).fill(9), "hosted")),
  "an environment": async () =>
    subjectOf(
      await signerFromEnvironment({
        TURNSEAL_SIGN_SEED_BASE64: Buffer.alloc(32, 8).toString("base64"),
        TURNSEAL_SIGN_ISSUER: "hosted",
      }),
    ),
};

describe.each(Object.entries(signers))(
  "the key of %s keeps the contract of signers",
  (_, create) => {
    for (const { name, run } of signerContract({ create })) test(name, run);
  },
);

test("a seed that is too short, and a text that is no key, give no signer", () => {
  expect(readSeed(new Uint8Array(31), "ci")).toBeUndefined();
  expect(readKeyText("no key", "ci")).toBeUndefined();
});
