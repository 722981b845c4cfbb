import { assert, property, string, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { base64Url, fromBase64, fromBase64Url, toBase64 } from "./base64.ts";

test("bytes come back as they were, and are written as Node writes them", () => {
  assert(
    property(uint8Array({ maxLength: 200 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      expect(base64Url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      expect(fromBase64Url(base64Url(bytes))).toEqual(bytes);
    }),
  );
});

test("more bytes than one call takes arguments are written", () => {
  const bytes = new Uint8Array(200_000).fill(7);
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
});

describe("one form only", () => {
  test.each([
    ["bits that mean nothing", "/x=="],
    ["no padding", "/w"],
    ["too much padding", "/w==="],
    ["a line feed", "/w==\n"],
    ["a space", " /w=="],
    ["the other alphabet", "_w=="],
    ["padding inside", "/w==/w=="],
    ["a letter of neither alphabet", "ä"],
  ])("base64 with %s is refused", (_, text) => {
    expect(fromBase64(text)).toBeUndefined();
  });

  test.each([
    ["padding", "_w=="],
    ["the other alphabet", "/w"],
    ["bits that mean nothing", "_x"],
    ["a length that no bytes have", "a"],
  ])("base64url with %s is refused", (_, text) => {
    expect(fromBase64Url(text)).toBeUndefined();
  });

  test("any text that is read is what its bytes are written as", () => {
    assert(
      property(string({ maxLength: 12 }), (text) => {
        const bytes = fromBase64(text);
        expect(bytes === undefined || toBase64(bytes) === text).toBe(true);
      }),
    );
  });
});
