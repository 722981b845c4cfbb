import { afterAll, beforeAll, expect, test } from "vitest";
import { openIssuer, type TokenIssuer } from "../token-issuer.test.data.ts";
import type { Authenticate } from "./caller.ts";
import { oidc } from "./oidc.ts";

let issuer: TokenIssuer;
let authenticate: Authenticate;
beforeAll(async () => {
  issuer = await openIssuer();
  authenticate = oidc({ ...issuer, audience: "turnseal", claims: { tenant: "org" } });
});
afterAll(async () => {
  await issuer.close();
});

const requestWith = (token: string) =>
  new Request("http://127.0.0.1/", { headers: { authorization: `Bearer ${token}` } });

test("a token says who it is, with which roles, and until when", async () => {
  const caller = await authenticate(requestWith(await issuer.sign({ roles: ["finance"] })));
  expect(caller).toMatchObject({ tenant: "alpha", id: "ada", roles: ["finance"] });
  expect(caller?.expiresAtMs).toBeGreaterThan(Date.now());
});

test("claims go by the names that the operator gives", async () => {
  const claims = { tenant: "org", id: "email", roles: "groups" };
  const named = oidc({ ...issuer, audience: "turnseal", claims });
  const token = await issuer.sign({ email: "ada@alpha.example", groups: ["finance"] });
  expect(await named(requestWith(token))).toMatchObject({
    id: "ada@alpha.example",
    roles: ["finance"],
  });
});

test.each([
  ["of another audience", { aud: "else" }],
  ["of another issuer", { iss: "https://else.example" }],
  ["without a tenant", { org: undefined }],
  ["with a tenant that is no name", { org: "../alpha" }],
  ["with a tenant of the prototype", { org: { toString: "alpha" } }],
  ["without a person", { sub: undefined }],
  ["with roles that are no list", { roles: "finance" }],
  ["that is not yet valid", { nbf: Math.floor(Date.now() / 1_000) + 3_600 }],
])("a token %s is nobody's", async (_, claims) => {
  expect(await authenticate(requestWith(await issuer.sign(claims)))).toBeUndefined();
});

test("a token that has expired, or of a foreign key, is nobody's", async () => {
  const stale = await issuer.sign({}, { expires: "-1m" });
  const foreign = await issuer.sign({}, { isForeign: true });
  expect(await authenticate(requestWith(stale))).toBeUndefined();
  expect(await authenticate(requestWith(foreign))).toBeUndefined();
});

test("a claim that only the prototype has is not there", async () => {
  const claims = { tenant: "org", id: "constructor" };
  const named = oidc({ ...issuer, audience: "turnseal", claims });
  expect(await named(requestWith(await issuer.sign()))).toBeUndefined();
});

test("when the keys cannot be had, nobody can say whose it is", async () => {
  const away = await openIssuer();
  const token = await away.sign();
  const unable = oidc({ ...away, audience: "turnseal", claims: { tenant: "org" } });
  await away.close();
  await expect(unable(requestWith(token))).rejects.toThrow();
});
