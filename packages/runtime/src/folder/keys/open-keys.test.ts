import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSigner, readPublicKeys } from "./open-keys.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-noted-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const environment = {
  TURNSEAL_SIGN_SEED_BASE64: Buffer.alloc(32, 5).toString("base64"),
  TURNSEAL_SIGN_ISSUER: "hosted",
};
const validFrom = "2026-01-01T00:00:00.000Z";

test("a key from outside has the same time in every folder, old and fresh", async () => {
  const noted = [];
  for (const [folder, said] of [
    ["first", {}],
    ["fresh", {}],
    ["told", { TURNSEAL_SIGN_VALID_FROM: validFrom }],
  ] as const) {
    await openSigner(join(root, folder), { ...environment, ...said });
    noted.push(...(await readPublicKeys(join(root, folder))));
  }
  const times = noted.map((key) => key.validFrom);
  expect(times).toEqual(["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", validFrom]);
});

test("what the environment says last is what a verifier is given", async () => {
  const validUntil = "2027-01-01T00:00:00.000Z";
  await openSigner(root, environment);
  await openSigner(root, { ...environment, TURNSEAL_SIGN_VALID_UNTIL: validUntil });
  expect(await readPublicKeys(root)).toMatchObject([{ issuer: "hosted", validUntil }]);
});
