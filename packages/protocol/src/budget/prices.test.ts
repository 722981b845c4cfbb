import { expect, test } from "vitest";
import { AMOUNT_MAX } from "./budget.ts";
import { priceTokens } from "./prices.ts";

const table = {
  asOf: "2026-01-01",
  models: {
    "test/small": { inputMicrosPerMillion: 250_000, outputMicrosPerMillion: 2_000_000 },
    "test/free": { inputMicrosPerMillion: 0, outputMicrosPerMillion: 0 },
  },
};

test("tokens are priced by direction and rounded up", () => {
  const tokens = { inputTokens: 1_000_000, outputTokens: 1_000_000 };
  expect(priceTokens(table, "test/small", tokens)).toBe(2_250_000);
  expect(priceTokens(table, "test/small", { inputTokens: 1 })).toBe(1);
  expect(priceTokens(table, "test/small", {})).toBe(0);
});

test("a model that costs nothing is known to cost nothing", () => {
  expect(priceTokens(table, "test/free", { inputTokens: 9 })).toBe(0);
});

test.each(["test/large", "toString", "__proto__", ""])("%j has no price", (model) => {
  expect(priceTokens(table, model, { inputTokens: 1 })).toBeUndefined();
});

test("a price never leaves the range in which amounts are exact", () => {
  expect(priceTokens(table, "test/small", { outputTokens: AMOUNT_MAX })).toBe(AMOUNT_MAX);
});
