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

const cached = {
  asOf: "2026-01-01",
  models: {
    "test/cached": {
      inputMicrosPerMillion: 1_000_000,
      outputMicrosPerMillion: 4_000_000,
      cacheReadMicrosPerMillion: 100_000,
      cacheWriteMicrosPerMillion: 1_250_000,
      reasoningMicrosPerMillion: 5_000_000,
    },
  },
};
const parts = { cacheReadTokens: 700, cacheWriteTokens: 200, reasoningTokens: 10 };

test("what a cache held and took, and thoughts, have prices of their own", () => {
  const tokens = { inputTokens: 1_000, outputTokens: 50, ...parts };
  // 100 fresh, 700 from the cache, 200 into it; 40 written, 10 thought.
  expect(priceTokens(cached, "test/cached", tokens)).toBe(100 + 70 + 250 + 160 + 50);
});

test("without such prices they cost as the rest of their side", () => {
  const tokens = { inputTokens: 1_000_000, outputTokens: 1_000_000 };
  expect(priceTokens(table, "test/small", { ...tokens, ...parts })).toBe(2_250_000);
});

test("a side that is not known costs the most that it can", () => {
  const tokens = { inputTokens: 1_000, outputTokens: 100 };
  expect(priceTokens(cached, "test/cached", tokens, ["input"])).toBe(1_250 + 400);
  expect(priceTokens(cached, "test/cached", tokens, ["output"])).toBe(1_000 + 500);
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
