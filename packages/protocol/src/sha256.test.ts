import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { digestOf } from "./digest.ts";
import { plainSha256Hex, SHA256_ROUNDS, SHA256_START, sha256Hex } from "./sha256.ts";

function nodeSha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Bytes that follow from the length alone. */
function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 0xff);
}

describe.each([
  ["the plain implementation", plainSha256Hex],
  ["the one in use", sha256Hex],
])("%s", (_, hash) => {
  // The example messages of NIST for SHA-256.
  test.each([
    ["nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["24 bits", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "448 bits",
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
    [
      "896 bits",
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno" +
        "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    ],
    [
      "a million letters",
      "a".repeat(1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    ],
  ])("gives NIST's digest of %s", (_name, message, digest) => {
    expect(hash(message)).toBe(digest);
  });

  test("equals node:crypto for every length from 0 to 200 bytes", () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = bytesOf(length);
      expect(hash(bytes), `${length} bytes`).toBe(nodeSha256(bytes));
    }
  });

  test("equals node:crypto for one mebibyte", () => {
    const bytes = bytesOf(1024 * 1024);
    expect(hash(bytes)).toBe(nodeSha256(bytes));
  });

  test("reads text as UTF-8", () => {
    for (const text of ["ä", "日本語", "💡".repeat(40), "\u0000", "\ud800"]) {
      expect(hash(text)).toBe(nodeSha256(text));
    }
  });

  test("reads a view into a larger buffer, and only the view", () => {
    const bytes = bytesOf(300);
    expect(hash(bytes.subarray(100, 180))).toBe(nodeSha256(bytes.slice(100, 180)));
  });
});

test("a digest is the SHA-256 of the canonical form", () => {
  const text = '{"a":[1,null],"b":"ä"}';
  expect(digestOf({ b: "ä", a: [1, null] })).toBe(`sha256:${nodeSha256(text)}`);
});

describe("the constants", () => {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }

  /** The largest whole number whose power is no more than `value`. */
  function floorRoot(value: bigint, power: bigint): bigint {
    let root = 0n;
    for (let bit = 1n << 64n; bit > 0n; bit >>= 1n) {
      if ((root + bit) ** power <= value) root += bit;
    }
    return root;
  }

  /** 32 bits after the point: whole numbers have no rounding that could be wrong. */
  const fractionOf = (prime: number, power: bigint): number =>
    Number(floorRoot(BigInt(prime) << (32n * power), power) & 0xffff_ffffn);

  test("of the rounds are the fractions of the cube roots of the first 64 primes", () => {
    expect([...SHA256_ROUNDS]).toEqual(primes.map((prime) => fractionOf(prime, 3n)));
  });

  test("of the start are the fractions of the square roots of the first 8 primes", () => {
    expect([...SHA256_START]).toEqual(primes.slice(0, 8).map((prime) => fractionOf(prime, 2n)));
  });

  // Typed from FIPS 180-4, sections 4.2.2 and 5.3.3.
  test("begin and end as the standard prints them", () => {
    expect([SHA256_ROUNDS[0], SHA256_ROUNDS[63]]).toEqual([0x428a2f98, 0xc67178f2]);
    expect([SHA256_START[0], SHA256_START[7]]).toEqual([0x6a09e667, 0x5be0cd19]);
  });
});
