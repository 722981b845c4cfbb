import { expect, test } from "vitest";
import type { Grant } from "./grant.ts";
import { isWithin } from "./is-within.ts";

const outer: Grant = {
  grantor: "alice",
  tools: ["local.pay", "local.read"],
  budget: { toolCalls: 3, turns: 2 },
  expiresAt: "2030-01-31T00:00:00.000Z",
};

test.each<[string, Partial<Grant>]>([
  ["the same grant", {}],
  ["fewer tools", { tools: ["local.read"] }],
  ["no tools", { tools: [] }],
  ["lower caps", { budget: { toolCalls: 0, turns: 1 } }],
  ["a cap where there was none", { budget: { ...outer.budget, effects: 1 } }],
  ["an earlier end", { expiresAt: "2029-12-31T23:59:59.999Z" }],
  ["another grantor", { grantor: "bob" }],
])("%s is within", (_, fields) => {
  expect(isWithin({ ...outer, ...fields }, outer)).toBe(true);
});

test.each<[string, Partial<Grant>]>([
  ["another tool", { tools: ["local.refund"] }],
  ["a tool more", { tools: [...outer.tools, "local.refund"] }],
  ["a higher cap", { budget: { toolCalls: 4, turns: 2 } }],
  ["a cap left out", { budget: { toolCalls: 3 } }],
  ["a later end", { expiresAt: "2030-01-31T00:00:00.001Z" }],
])("%s is not", (_, fields) => {
  expect(isWithin({ ...outer, ...fields }, outer)).toBe(false);
});

test("no end is later than any end", () => {
  const { expiresAt: _, ...endless } = outer;
  expect(isWithin(endless, outer)).toBe(false);
  expect(isWithin(outer, endless)).toBe(true);
});
