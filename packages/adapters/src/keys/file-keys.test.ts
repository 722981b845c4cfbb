import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manualClock, SEALING_MS_MAX } from "@turnseal/ports";
import { parseKeys } from "@turnseal/protocol/receipts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLOCK_SLACK_MS, fileKeys, OVERLAP_MS_DEFAULT } from "./file-keys.ts";
import { createKeyText } from "./key-signer.ts";

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-keys-"));
  folder = join(root, "store", "keys");
});
afterEach(() => rmSync(root, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const instant = (ms: number): string => new Date(ms).toISOString();

/** Verifies as a stranger would: with the public half alone. */
async function fits(encodedKey: string, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const jwk = { kty: "OKP", crv: "Ed25519", x: encodedKey };
  const key = await subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  return subtle.verify("Ed25519", key, Uint8Array.from(signature), Uint8Array.from(data));
}

describe("the first use", () => {
  test("makes a development key whose signatures fit its public half", async () => {
    const signer = await fileKeys({ folder }).openSigner();
    const data = new TextEncoder().encode("what was done");
    const signature = await signer.sign(data);
    expect(signer.issuer).toBe("development");
    expect(signature).toHaveLength(64);
    expect(await fits(signer.x, data, signature)).toBe(true);
    expect(await fits(signer.x, new Uint8Array([1]), signature)).toBe(false);
  });

  test("leaves a folder and files that are for the owner alone, under any mask", async () => {
    const mask = process.umask(0);
    try {
      await fileKeys({ folder }).openSigner();
    } finally {
      process.umask(mask);
    }
    expect(modeOf(folder)).toBe(0o700);
    for (const name of readdirSync(folder))
      expect([name, modeOf(join(folder, name))]).toEqual([name, 0o600]);
  });

  test("writes a key in PKCS8 and a set that a verifier takes as it is", async () => {
    const clock = manualClock();
    const keys = fileKeys({ folder, clock });
    const signer = await keys.openSigner();
    const { keyId } = signer;
    expect(readFileSync(join(folder, `${keyId}.pem`), "utf8")).toMatch(
      /^-----BEGIN PRIVATE KEY-----/,
    );
    const validFrom = instant(clock.now() - CLOCK_SLACK_MS);
    const expected = [{ keyId, x: signer.x, issuer: "development", validFrom }];
    expect(parseKeys(JSON.parse(readFileSync(keys.publicKeysFile, "utf8")))).toEqual(expected);
    expect(await keys.listKeys()).toEqual(expected);
  });

  test("is the only one that makes a key", async () => {
    const { keyId } = await fileKeys({ folder }).openSigner();
    expect((await fileKeys({ folder }).openSigner()).keyId).toBe(keyId);
    expect(await fileKeys({ folder }).listKeys()).toHaveLength(1);
  });

  test("of several at once makes one key", async () => {
    const signers = await Promise.all(
      Array.from({ length: 8 }, () => fileKeys({ folder }).openSigner()),
    );
    expect(new Set(signers.map(({ keyId }) => keyId)).size).toBe(1);
    expect(readdirSync(folder).filter((name) => name.endsWith(".pem"))).toHaveLength(1);
  });

  test("of several processes at once makes one key", async () => {
    const module = fileURLToPath(new URL("./index.ts", import.meta.url));
    const program = `import { fileKeys } from ${JSON.stringify(module)};
      console.log((await fileKeys({ folder: ${JSON.stringify(folder)} }).openSigner()).keyId);`;
    const names = await Promise.all(Array.from({ length: 3 }, () => runProgram(program)));
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toHaveLength(43);
  });

  test("listing makes none", async () => {
    expect(await fileKeys({ folder }).listKeys()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("rotation", () => {
  test("makes a key that signs from then on; the one before stays valid for a while", async () => {
    const clock = manualClock();
    const keys = fileKeys({ folder, clock });
    const before = await keys.openSigner();
    clock.advance(1_000);
    const rotatedMs = clock.now();
    const next = await keys.rotate();
    expect((await keys.openSigner()).keyId).toBe(next.keyId);
    expect(await keys.listKeys()).toMatchObject([
      { keyId: before.keyId, validUntil: instant(rotatedMs + OVERLAP_MS_DEFAULT) },
      { keyId: next.keyId, validFrom: instant(rotatedMs - CLOCK_SLACK_MS) },
    ]);
    expect(next).not.toHaveProperty("validUntil");
  });

  test("again does not move the end of a key that has ended", async () => {
    const clock = manualClock();
    const keys = fileKeys({ folder, clock, overlapMs: 10 });
    const first = await keys.openSigner();
    await keys.rotate();
    const [ended] = await keys.listKeys();
    clock.advance(1_000);
    await keys.rotate();
    expect((await keys.listKeys())[0]).toEqual(ended);
    expect(ended?.keyId).toBe(first.keyId);
  });

  test("several at once lose no key, and one of them signs", async () => {
    const keys = fileKeys({ folder });
    const made = await Promise.all(Array.from({ length: 5 }, () => keys.rotate()));
    const listed = await keys.listKeys();
    expect(listed.map(({ keyId }) => keyId).sort()).toEqual(made.map(({ keyId }) => keyId).sort());
    expect(listed.filter(({ validUntil }) => validUntil === undefined)).toHaveLength(1);
  });

  test("a process that outlives it seals with the next key", async () => {
    const clock = manualClock();
    const keys = fileKeys({ folder, clock });
    const before = await keys.openSigner();
    expect((await before.current?.(clock.now()))?.keyId).toBe(before.keyId);
    const next = await keys.rotate();
    for (const passMs of [0, OVERLAP_MS_DEFAULT, 1, OVERLAP_MS_DEFAULT]) {
      clock.advance(passMs);
      const signer = await before.current?.(clock.now());
      expect(signer?.keyId).toBe(next.keyId);
      const data = new Uint8Array([7]);
      expect(await fits(next.x, data, (await signer?.sign(data)) ?? data)).toBe(true);
    }
    const third = await keys.rotate();
    const signer = await before.current?.(clock.now());
    expect((await signer?.current?.(clock.now()))?.keyId).toBe(third.keyId);
  });

  test("a key is left SEALING_MS_MAX before it ends, and none is made for it", async () => {
    const clock = manualClock();
    const keys = fileKeys({ folder, clock });
    const signer = await keys.openSigner();
    const [key] = await keys.listKeys();
    const untilMs = clock.now() + 100 * SEALING_MS_MAX;
    const ending = { keys: [{ ...key, validUntil: instant(untilMs) }] };
    writeFileSync(keys.publicKeysFile, JSON.stringify(ending));
    expect(await signer.current?.(untilMs - SEALING_MS_MAX)).toBeDefined();
    expect(await signer.current?.(untilMs - SEALING_MS_MAX + 1)).toBeUndefined();
    expect(await signer.current?.(Date.parse(key?.validFrom ?? "") - 1)).toBeUndefined();
    expect(await keys.listKeys()).toHaveLength(1);
  });

  test("a signer that was taken before goes on signing", async () => {
    const keys = fileKeys({ folder });
    const before = await keys.openSigner();
    await keys.rotate();
    expect(await fits(before.x, new Uint8Array([1]), await before.sign(new Uint8Array([1])))).toBe(
      true,
    );
  });
});

describe("what is refused", () => {
  test.each([0o755, 0o750, 0o701, 0o770])("a folder of mode %o", async (mode) => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, mode);
    await expect(fileKeys({ folder }).openSigner()).rejects.toMatchObject({
      code: "KEYS_PERMISSIONS",
      message: expect.stringContaining(`chmod 700 ${folder}`),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([0o644, 0o640, 0o604, 0o620])("a private key of mode %o", async (mode) => {
    const { keyId } = await fileKeys({ folder }).openSigner();
    chmodSync(join(folder, `${keyId}.pem`), mode);
    await expect(fileKeys({ folder }).openSigner()).rejects.toMatchObject({
      code: "KEYS_PERMISSIONS",
      message: expect.stringContaining("chmod 600"),
    });
  });

  test("a private key that is missing: another is not made in silence", async () => {
    const { keyId } = await fileKeys({ folder }).openSigner();
    rmSync(join(folder, `${keyId}.pem`));
    await expect(fileKeys({ folder }).openSigner()).rejects.toMatchObject({
      code: "KEYS_UNREADABLE",
      message: expect.stringContaining("is missing"),
    });
  });

  test.each([
    ["another key", () => createKeyText()],
    ["nothing", () => ""],
    ["something else", () => "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
  ])("a file that holds %s under the name of a key", async (_, text) => {
    const { keyId } = await fileKeys({ folder }).openSigner();
    writeFileSync(join(folder, `${keyId}.pem`), text());
    await expect(fileKeys({ folder }).openSigner()).rejects.toMatchObject({
      code: "KEYS_UNREADABLE",
      message: expect.stringContaining("does not hold the key of its name"),
    });
  });

  test.each(["", "{", "{}", '{"keys":[{}]}'])("a key set such as %j", async (text) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, "keys.json"), text, { mode: 0o600 });
    await expect(fileKeys({ folder }).openSigner()).rejects.toMatchObject({
      code: "KEYS_UNREADABLE",
    });
    await expect(fileKeys({ folder }).rotate()).rejects.toMatchObject({ code: "KEYS_UNREADABLE" });
    expect(readFileSync(join(folder, "keys.json"), "utf8")).toBe(text);
  });

  test("a path that is not a folder", async () => {
    mkdirSync(join(root, "store"));
    writeFileSync(folder, "");
    await expect(fileKeys({ folder }).openSigner()).rejects.toThrow();
  });

  test("a folder stays unlocked after a refusal", async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, "keys.json"), "{", { mode: 0o600 });
    await expect(fileKeys({ folder }).rotate()).rejects.toThrow();
    expect(existsSync(join(folder, "keys.lock"))).toBe(false);
  });
});

async function runProgram(program: string): Promise<string> {
  const flags = ["--conditions=turnseal-source", "--input-type=module", "--eval", program];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  await once(child, "close");
  return out.trim();
}
