import { expect, test } from "vitest";
import { admit } from "./admit.ts";
import { NEEDS_MAX, readNeeds } from "./needs.ts";

const request = { family: "network", resource: "web", verb: "read" };

test("needs are read with what they leave out", () => {
  expect(readNeeds({})).toEqual({ scopes: [], terms: [], amounts: {} });
  const needs = { scopes: ["repo:read"], terms: [request], amounts: { "payments.cents": 12 } };
  expect(readNeeds(needs)).toEqual(needs);
});

test.each([
  null,
  [],
  "all",
  { tools: [] },
  { scopes: "repo:read" },
  { scopes: ["*"] },
  { scopes: new Array(1) },
  { terms: [null] },
  { terms: [{ ...request, verb: "fetch" }] },
  { terms: [{ ...request, family: "web" }] },
  { terms: [{ ...request, resource: "" }] },
  { terms: [{ ...request, capability: "all" }] },
  { terms: [{ ...request, path: 7 }] },
  { terms: [{ ...request, host: "example.com" }] },
  { terms: [{ ...request, amounts: { fanout: -1 } }] },
  { amounts: { cents: 1 } },
  { amounts: { "payments.cents": 0.5 } },
])("%j cannot be read", (needs) => {
  expect(readNeeds(needs)).toBeUndefined();
});

test("NEEDS_MAX scopes and requests are read, one more is not", () => {
  const scopes = Array.from({ length: NEEDS_MAX }, (_, index) => `repo:${index}`);
  const terms = scopes.map(() => request);
  expect(readNeeds({ scopes, terms })).toBeDefined();
  expect(readNeeds({ scopes: [...scopes, "repo:more"] })).toBeUndefined();
  expect(readNeeds({ terms: [...terms, request] })).toBeUndefined();
});

test("an expiry that cannot be read has passed", () => {
  const grant = { grantor: "alice", tools: ["local.pay"], budget: {}, expiresAt: "never" };
  expect(admit(grant, { tool: "local.pay" }, 0)).toEqual({
    kind: "denied",
    reason: "grant-expired",
  });
});
