import { expect, test } from "vitest";
import { createIdentity, identityKeyOf, isIdentityKey, toBase58 } from "./identity-key.ts";

test.each([
  ["48656c6c6f20576f726c6421", "2NEpo7TZRRrLZSi2U"],
  ["0000287fb4cd", "11233QC4"],
  ["", ""],
  ["00", "1"],
])("%s is %s", (hex, text) => {
  expect(toBase58(Buffer.from(hex, "hex"))).toBe(text);
});

test("a private key has the public one that engines log", () => {
  // The example of RFC 8410.
  const body = "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC";
  const pem = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`;
  expect(identityKeyOf(pem)).toBe("publickeyv1_2jWMEZexp78CX9HyTF1U8c5h96dbm9XVBcCEJ8pDypmn");
});

test("what is made is a key, and two are never the same", () => {
  const keys = [identityKeyOf(createIdentity()), identityKeyOf(createIdentity())];
  expect(keys.every(isIdentityKey)).toBe(true);
  expect(new Set(keys).size).toBe(2);
});

test.each(["", "publickeyv1_", "publickeyv2_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9", "key"])(
  "%j is no identity key",
  (text) => {
    expect(isIdentityKey(text)).toBe(false);
  },
);
