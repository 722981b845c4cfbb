import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { API_KEYS_MAX, type ApiKey, apiKeys } from "./api-keys.ts";
import { CALLER_NAME_LENGTH_MAX, CALLER_ROLES_MAX } from "./caller.ts";
import { TOKEN_LENGTH_MAX } from "./read-bearer.ts";

const digest = (key: string) => createHash("sha256").update(key).digest("hex");
const ada: ApiKey = { sha256: digest("secret"), tenant: "alpha", id: "ada", roles: ["finance"] };
const ask = (authorization?: string) =>
  new Request(
    "http://127.0.0.1/",
    authorization === undefined ? {} : { headers: { authorization } },
  );

test("a key is known by its digest", () => {
  const authenticate = apiKeys([{ ...ada, sha256: digest("other"), id: "bob" }, ada]);
  expect(authenticate(ask("Bearer secret"))).toEqual({
    tenant: "alpha",
    id: "ada",
    roles: ["finance"],
  });
});

test.each([
  ["none", undefined],
  ["another", "Bearer secrets"],
  ["its digest", `Bearer ${digest("secret")}`],
  ["of another scheme", "Basic secret"],
  ["with something behind it", "Bearer secret secret"],
  ["that is empty", "Bearer "],
])("a key: %s, is nobody's", (_, header) => {
  expect(apiKeys([ada])(ask(header))).toBeUndefined();
});

test("a key of TOKEN_LENGTH_MAX is looked at, and a longer one is not", () => {
  const [long, longer] = [TOKEN_LENGTH_MAX, TOKEN_LENGTH_MAX + 1].map((size) => "k".repeat(size));
  const authenticate = apiKeys([long, longer].map((key = "") => ({ ...ada, sha256: digest(key) })));
  expect(authenticate(ask(`Bearer ${long}`))).toBeDefined();
  expect(authenticate(ask(`Bearer ${longer}`))).toBeUndefined();
});

test("a table has at most API_KEYS_MAX keys", () => {
  const table = (count: number) => Array.from({ length: count }, () => ada);
  expect(apiKeys(table(API_KEYS_MAX))(ask("Bearer secret"))).toBeDefined();
  expect(() => apiKeys(table(API_KEYS_MAX + 1))).toThrow(RangeError);
});

const names = (count: number) => Array.from({ length: count }, (_, index) => `role-${index}`);

test.each([
  [{ id: "a".repeat(CALLER_NAME_LENGTH_MAX) }],
  [{ roles: names(CALLER_ROLES_MAX) }],
  [{ tenant: "a".repeat(63) }],
])("a table may say %j", (change) => {
  expect(apiKeys([{ ...ada, ...change }])(ask("Bearer secret"))).toMatchObject(change);
});

test.each([
  [{ sha256: "secret" }],
  [{ id: "" }],
  [{ id: "a".repeat(CALLER_NAME_LENGTH_MAX + 1) }],
  [{ roles: names(CALLER_ROLES_MAX + 1) }],
  [{ roles: [""] }],
  [{ tenant: "Alpha" }],
  [{ tenant: "a/b" }],
  [{ tenant: "a".repeat(64) }],
])("a table with %j is refused", (change) => {
  expect(() => apiKeys([{ ...ada, ...change }])).toThrow(TypeError);
});
