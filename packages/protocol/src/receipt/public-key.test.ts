import { createPrivateKey, createPublicKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DEMO_KEY } from "./demo-key.ts";
import { KEY_SET_MAX, keyIdOf, type PublicKey, parseKeys } from "./public-key.ts";

test("the name of a key is its JWK thumbprint, as RFC 8037 computes it", () => {
  expect(keyIdOf("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")).toBe(
    "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  );
});

test("the demo key is the one of the published seed", () => {
  const header = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = Buffer.concat([header, Buffer.alloc(32, 0x42)]);
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
  expect(createPublicKey(privateKey).export({ format: "jwk" }).x).toBe(DEMO_KEY.x);
  expect(keyIdOf(DEMO_KEY.x)).toBe(DEMO_KEY.keyId);
});

describe("a set of keys", () => {
  test("is read as it is, also an empty one", () => {
    const retired = { ...DEMO_KEY, validUntil: "2027-01-01T00:00:00.000Z" };
    expect(parseKeys({ keys: [retired] })).toEqual([retired]);
    expect(parseKeys({ keys: [] })).toEqual([]);
  });

  test.each([null, [], {}, { keys: {} }, "keys"])("%j is none", (value) => {
    expect(parseKeys(value)).toEqual({ problem: expect.stringContaining("list `keys`") });
  });

  test.each([
    null,
    {},
    { ...DEMO_KEY, x: undefined },
    { ...DEMO_KEY, x: `${DEMO_KEY.x}=` },
    { ...DEMO_KEY, x: "AAAA" },
    { ...DEMO_KEY, issuer: "me" },
    { ...DEMO_KEY, validFrom: "2026-01-01" },
    { ...DEMO_KEY, validFrom: undefined },
    { ...DEMO_KEY, validUntil: "2027-01-01T00:00:00Z" },
    { ...DEMO_KEY, validUntil: null },
  ])("a key such as %j is refused", (key) => {
    expect(parseKeys({ keys: [key] })).toEqual({
      problem: "key 0 is not a public key with its times",
    });
  });

  test("a key under a name that is not its own is refused", () => {
    const keys = [{ ...DEMO_KEY, keyId: "alice" }];
    expect(parseKeys({ keys })).toEqual({ problem: "key 0 is not listed under its own name" });
  });

  test("a key that is listed twice is refused", () => {
    const again = { ...DEMO_KEY, issuer: "hosted" };
    expect(parseKeys({ keys: [DEMO_KEY, again] })).toEqual({ problem: "key 1 is listed twice" });
  });

  test("KEY_SET_MAX keys may be listed, one more is refused", () => {
    const keys = Array.from({ length: KEY_SET_MAX + 1 }, (_, index) => makeKey(index));
    expect(parseKeys({ keys: keys.slice(1) })).toHaveLength(KEY_SET_MAX);
    expect(parseKeys({ keys })).toEqual({ problem: expect.stringContaining(`${KEY_SET_MAX}`) });
  });
});

function makeKey(index: number): PublicKey {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(index);
  const encodedKey = bytes.toString("base64url");
  return { ...DEMO_KEY, x: encodedKey, keyId: keyIdOf(encodedKey) };
}
