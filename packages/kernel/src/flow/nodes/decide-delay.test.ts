import { expect, test } from "vitest";
import type { CheckedRetry } from "../../definition/flow/checked-node.ts";
import { decideDelay } from "./decide-delay.ts";

const retry: CheckedRetry = {
  strategy: "exponential",
  max: 10,
  delayMs: 1_000,
  capMs: 6_000,
  hasJitter: false,
  on: new Set(["TOOL_FAILED"]),
};

function listDelays(given: Partial<CheckedRetry>, call = "call"): number[] {
  return [2, 3, 4, 5, 6].map((attempt) =>
    decideDelay({ ...retry, ...given }, { call, path: "/flow/nodes/0", attempt }),
  );
}

test.each([
  ["immediate", { strategy: "immediate" }, [0, 0, 0, 0, 0]],
  ["fixed", { strategy: "fixed" }, [1_000, 1_000, 1_000, 1_000, 1_000]],
  ["exponential", { strategy: "exponential" }, [1_000, 2_000, 4_000, 6_000, 6_000]],
  ["exponential, by another delay", { delayMs: 250 }, [250, 500, 1_000, 2_000, 4_000]],
  ["exponential, past its cap", { delayMs: 9_000 }, [6_000, 6_000, 6_000, 6_000, 6_000]],
] as const)("delays are %s", (_, given, delays) => {
  expect(listDelays(given)).toEqual(delays);
});

test("a try far out waits for the cap", () => {
  expect(decideDelay(retry, { call: "call", path: "/flow", attempt: 2_000 })).toBe(6_000);
});

test("jitter takes off up to half, and the same each time", () => {
  const delays = listDelays({ hasJitter: true });
  expect(delays).toEqual(listDelays({ hasJitter: true }));
  for (const [index, most] of [1_000, 2_000, 4_000, 6_000, 6_000].entries()) {
    expect(delays[index]).toBeLessThanOrEqual(most);
    expect(delays[index]).toBeGreaterThanOrEqual(most / 2);
  }
});

test("jitter differs between calls, nodes and tries", () => {
  const fixed = { strategy: "fixed", hasJitter: true } as const;
  expect(new Set(listDelays(fixed)).size).toBe(5);
  expect(listDelays(fixed)).not.toEqual(listDelays(fixed, "other"));
  const at = (path: string) =>
    decideDelay({ ...retry, ...fixed }, { call: "call", path, attempt: 2 });
  expect(at("/flow/nodes/0")).not.toBe(at("/flow/nodes/1"));
});

test("no delay has no jitter", () => {
  expect(listDelays({ strategy: "immediate", hasJitter: true })).toEqual([0, 0, 0, 0, 0]);
});
