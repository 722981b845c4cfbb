import { createHmac } from "node:crypto";
import { assert, property, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex, hmacSha256Hex } from "./hmac.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the vectors of RFC 4231", () => {
  test.each([
    {
      key: new Uint8Array(20).fill(0x0b),
      data: bytes("Hi There"),
      hmac: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    },
    {
      key: bytes("Jefe"),
      data: bytes("what do ya want for nothing?"),
      hmac: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    },
    {
      key: new Uint8Array(20).fill(0xaa),
      data: new Uint8Array(50).fill(0xdd),
      hmac: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    },
    {
      key: Uint8Array.from({ length: 25 }, (_, index) => index + 1),
      data: new Uint8Array(50).fill(0xcd),
      hmac: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    },
  ])("$hmac", ({ key, data, hmac }) => {
    expect(hmacSha256Hex(key, data)).toBe(hmac);
  });
});

test("any key of at most a block and any data give what node:crypto gives", () => {
  assert(
    property(uint8Array({ maxLength: 64 }), uint8Array({ maxLength: 300 }), (key, data) => {
      expect(hmacSha256Hex(key, data)).toBe(createHmac("sha256", key).update(data).digest("hex"));
    }),
  );
});

test("a key longer than a block is refused, not hashed", () => {
  expect(() => hmacSha256Hex(new Uint8Array(65), bytes(""))).toThrow(RangeError);
  expect(hmacSha256Hex(new Uint8Array(64), bytes(""))).toHaveLength(64);
});

test("another key gives another digest of the same data", () => {
  const data = bytes("the same");
  expect(hmacSha256Hex(bytes("a"), data)).not.toBe(hmacSha256Hex(bytes("b"), data));
});

test("hex is read byte by byte", () => {
  expect([...fromHex("00ff7a")]).toEqual([0, 255, 122]);
  expect(fromHex("")).toHaveLength(0);
});
