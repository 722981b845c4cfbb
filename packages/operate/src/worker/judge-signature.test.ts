import { createPrivateKey, sign } from "node:crypto";
import { createIdentity, identityKeyOf } from "@turnseal/runtime/engine";
import { expect, test } from "vitest";
import { createSignatureJudge } from "./judge-signature.ts";

const NOW_MS = Date.UTC(2026, 0, 31);
const pem = createIdentity();
const key = identityKeyOf(pem);
const judge = createSignatureJudge([key], () => NOW_MS);

/** A token as an engine makes it: valid for a minute before and after. */
function makeToken({ atMs = NOW_MS, kid = key, by = pem }): string {
  const iat = Math.floor(atMs / 1_000);
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const header = encode({ typ: "JWT", alg: "EdDSA", kid });
  const claims = encode({ aud: "/discover", iat, nbf: iat - 60, exp: iat + 60 });
  const signed = `${header}.${claims}`;
  return `${signed}.${sign(null, Buffer.from(signed), createPrivateKey(by)).toString("base64url")}`;
}

test("a token of the engine is valid for a minute around its time", () => {
  for (const apartMs of [-60_000, 0, 60_000])
    expect(judge(makeToken({ atMs: NOW_MS + apartMs }))).toEqual({ kind: "valid" });
});

test("one of another time says how far the clocks are apart", () => {
  expect(judge(makeToken({ atMs: NOW_MS - 90_000 }))).toEqual({ kind: "clock", apartMs: 90_000 });
  expect(judge(makeToken({ atMs: NOW_MS + 90_000 }))).toEqual({ kind: "clock", apartMs: -90_000 });
});

test("one of another engine says its key", () => {
  const other = createIdentity();
  const kid = identityKeyOf(other);
  expect(judge(makeToken({ kid, by: other }))).toEqual({ kind: "key", key: kid });
});

test.each([
  ["no token", undefined],
  ["a text", "CANARY"],
  ["the name of a key that no engine has", makeToken({ kid: "CANARY" })],
  ["a signature by another key", makeToken({ by: createIdentity() })],
  ["another time, by another key", makeToken({ atMs: NOW_MS - 90_000, by: createIdentity() })],
  ["one that is too long", `${"a".repeat(5_000)}.b.c`],
  ["more parts", `${makeToken({})}.more`],
  ["a list", [makeToken({})]],
])("%s is of nobody", (_, token) => {
  expect(judge(token)).toEqual({ kind: "unsigned" });
});
