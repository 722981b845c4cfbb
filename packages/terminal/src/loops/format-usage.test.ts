import { expect, test } from "vitest";
import { formatUsage } from "./format-usage.ts";

test("a usage without parts is two numbers", () => {
  expect(formatUsage({ inputTokens: 10, outputTokens: 14 })).toBe("10 tokens in, 14 out");
});

test("a usage names what a cache held and took, and what was reasoning", () => {
  const parts = { cacheReadTokens: 800, cacheWriteTokens: 50, reasoningTokens: 12 };
  expect(formatUsage({ inputTokens: 900, outputTokens: 40, ...parts })).toBe(
    "900 tokens in (800 from a cache, 50 put into a cache), 40 out (12 of reasoning)",
  );
});
