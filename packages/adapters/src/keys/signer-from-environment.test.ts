import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SEALING_MS_MAX } from "@turnseal/ports";
import { keyIdOf } from "@turnseal/protocol/receipts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKeyText } from "./key-signer.ts";
import { KEYS_ERROR_CODES, KeysError } from "./keys-error.ts";
import { signerFromEnvironment } from "./signer-from-environment.ts";
import { withoutSigningSecrets } from "./signing-variables.ts";

const seed = Buffer.alloc(32, 7).toString("base64");
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-sign-"));
  file = join(folder, "key.pem");
  writeFileSync(file, createKeyText(), { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a whole set of variables", () => {
  test.each(["hosted", "ci"])("with a seed gives a signer of issuer %s", async (issuer) => {
    const signer = await signerFromEnvironment({
      TURNSEAL_SIGN_SEED_BASE64: `${seed}\n`,
      TURNSEAL_SIGN_ISSUER: issuer,
    });
    expect(signer).toMatchObject({ issuer, keyId: keyIdOf(signer?.x ?? "") });
    expect(await signer?.sign(new Uint8Array([1]))).toHaveLength(64);
  });

  test("the same seed is the same key", async () => {
    const environment = { TURNSEAL_SIGN_SEED_BASE64: seed, TURNSEAL_SIGN_ISSUER: "ci" };
    const [first, second] = [
      await signerFromEnvironment(environment),
      await signerFromEnvironment(environment),
    ];
    expect(first?.keyId).toBe(second?.keyId);
  });

  test.each([0o600, 0o400, 0o640, 0o440])(
    "with a key file of mode %o gives its signer",
    async (mode) => {
      chmodSync(file, mode);
      const signer = await signerFromEnvironment({
        TURNSEAL_SIGN_KEY_FILE: file,
        TURNSEAL_SIGN_ISSUER: "hosted",
      });
      expect(signer?.issuer).toBe("hosted");
    },
  );
});

test("without any of them there is no signer", async () => {
  expect(await signerFromEnvironment({})).toBeUndefined();
  expect(await signerFromEnvironment({ TURNSEAL_SIGN_ISSUER: " ", PATH: "/bin" })).toBeUndefined();
});

describe("a part of the set is an error", () => {
  test.each([
    ["an issuer alone", { TURNSEAL_SIGN_ISSUER: "ci" }, "set without a key"],
    ["a seed alone", { TURNSEAL_SIGN_SEED_BASE64: seed }, "must be hosted or ci"],
    ["a file alone", { TURNSEAL_SIGN_KEY_FILE: "/key.pem" }, "must be hosted or ci"],
    [
      "an issuer that is none",
      { TURNSEAL_SIGN_SEED_BASE64: seed, TURNSEAL_SIGN_ISSUER: "development" },
      "must be hosted or ci",
    ],
    [
      "a seed and a file",
      { TURNSEAL_SIGN_SEED_BASE64: seed, TURNSEAL_SIGN_KEY_FILE: "/k", TURNSEAL_SIGN_ISSUER: "ci" },
      "both set",
    ],
  ])("%s", async (_, environment, message) => {
    await expect(signerFromEnvironment(environment)).rejects.toMatchObject({
      code: "KEYS_SETTINGS",
      message: expect.stringContaining(message),
    });
  });
});

describe("a key that cannot be used is an error that repeats nothing of it", () => {
  test.each([
    "c2VjcmV0",
    seed.slice(0, -1),
    seed.replace("=", ""),
    `${seed}AAAA`,
    Buffer.alloc(32, 0xff).toString("base64url"),
  ])("the seed %j", async (text) => {
    const signing = signerFromEnvironment({
      TURNSEAL_SIGN_SEED_BASE64: text,
      TURNSEAL_SIGN_ISSUER: "ci",
    });
    await expect(signing).rejects.toMatchObject({
      code: "KEYS_SETTINGS",
      message: "TURNSEAL_SIGN_SEED_BASE64 is not 32 bytes in base64",
    });
  });

  test("the seed of the examples, which is published", async () => {
    const signing = signerFromEnvironment({
      TURNSEAL_SIGN_SEED_BASE64: Buffer.alloc(32, 0x42).toString("base64"),
      TURNSEAL_SIGN_ISSUER: "hosted",
    });
    await expect(signing).rejects.toMatchObject({
      code: "KEYS_SETTINGS",
      message: expect.stringContaining("published"),
    });
  });

  test.each([0o604, 0o644, 0o620, 0o660])("a key file of mode %o", async (mode) => {
    chmodSync(file, mode);
    await expect(useFile()).rejects.toMatchObject({ code: "KEYS_PERMISSIONS" });
  });

  test("a key file that is not there", async () => {
    rmSync(file);
    await expect(useFile()).rejects.toMatchObject({
      code: "KEYS_SETTINGS",
      message: expect.stringContaining("is not there"),
    });
  });

  test.each([
    ["of another kind", () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey],
    ["that is public", () => generateKeyPairSync("ed25519").publicKey],
  ])("a key file with a key %s", async (_, make) => {
    const key = make();
    const type = key.type === "public" ? "spki" : "pkcs8";
    writeFileSync(file, key.export({ type, format: "pem" } as never));
    await expect(useFile()).rejects.toMatchObject({
      code: "KEYS_SETTINGS",
      message: expect.stringContaining("no Ed25519 key"),
    });
  });

  test("a key file with any text", async () => {
    writeFileSync(file, "hunter2");
    const error: unknown = await useFile().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KeysError);
    expect(`${error} ${JSON.stringify(error)}`).not.toContain("hunter2");
  });
});

test("every code says what may be done about it", () => {
  const advice = KEYS_ERROR_CODES.map((code) => new KeysError(code, "").retry);
  expect(advice).toEqual(["pause", "pause", "retry", "pause"]);
});

describe("the environment of a child", () => {
  test("has everything but the signing variables, in any case", () => {
    const environment = {
      PATH: "/bin",
      EMPTY: "",
      UNSET: undefined,
      TURNSEAL_SIGN_KEY_FILE: file,
      TURNSEAL_SIGN_SEED_BASE64: seed,
      Turnseal_Sign_Issuer: "ci",
      TURNSEAL_STORE: "here",
    };
    expect(withoutSigningSecrets(environment)).toEqual({
      PATH: "/bin",
      EMPTY: "",
      TURNSEAL_STORE: "here",
    });
  });

  test("is a copy: the given one keeps its signing variables", () => {
    const environment = { TURNSEAL_SIGN_ISSUER: "ci" };
    withoutSigningSecrets(environment);
    expect(environment).toEqual({ TURNSEAL_SIGN_ISSUER: "ci" });
  });
});

function useFile(): Promise<unknown> {
  return signerFromEnvironment({ TURNSEAL_SIGN_KEY_FILE: file, TURNSEAL_SIGN_ISSUER: "hosted" });
}

describe("the time of a key", () => {
  const whole = { TURNSEAL_SIGN_SEED_BASE64: seed, TURNSEAL_SIGN_ISSUER: "hosted" };
  const from = "2026-01-01T00:00:00.000Z";
  const until = "2026-02-01T00:00:00.000Z";

  test("has no begin and no end where nobody says them", async () => {
    const signer = await signerFromEnvironment(whole);
    expect(signer).not.toHaveProperty("validFrom");
    for (const nowMs of [0, Date.parse(from), Date.parse("9999-12-31T00:00:00.000Z")])
      expect((await signer?.current?.(nowMs))?.keyId).toBe(signer?.keyId);
  });

  test("is what is said: outside of it, or SEALING_MS_MAX before its end, none signs", async () => {
    const signer = await signerFromEnvironment({
      ...{ ...whole, TURNSEAL_SIGN_VALID_FROM: from, TURNSEAL_SIGN_VALID_UNTIL: until },
    });
    expect(signer).toMatchObject({ validFrom: from, validUntil: until });
    const isAble = async (nowMs: number) => (await signer?.current?.(nowMs)) !== undefined;
    expect(await isAble(Date.parse(from) - 1)).toBe(false);
    expect(await isAble(Date.parse(from))).toBe(true);
    expect(await isAble(Date.parse(until) - SEALING_MS_MAX)).toBe(true);
    expect(await isAble(Date.parse(until) - SEALING_MS_MAX + 1)).toBe(false);
  });

  test.each([
    { TURNSEAL_SIGN_VALID_FROM: "yesterday" },
    { TURNSEAL_SIGN_VALID_FROM: "2026-01-01" },
    { TURNSEAL_SIGN_VALID_UNTIL: "2026-02-28T00:00:00Z" },
    { TURNSEAL_SIGN_VALID_FROM: until, TURNSEAL_SIGN_VALID_UNTIL: from },
  ])("is refused as %j", async (times) => {
    await expect(signerFromEnvironment({ ...whole, ...times })).rejects.toMatchObject({
      code: "KEYS_SETTINGS",
    });
  });
});
