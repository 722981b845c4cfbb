import { expect, test } from "vitest";
import { createRequestWindow } from "./request-window.ts";

test("a window has room for so many of each tenant, and the next window again", () => {
  const { count } = createRequestWindow({ requestsMax: 2, windowMs: 1_000 });
  expect([count("a", 5_000), count("a", 5_100), count("b", 5_100)]).toEqual(
    Array(3).fill(undefined),
  );
  expect(count("a", 5_999)).toBe(1);
  expect(count("b", 5_999)).toBeUndefined();
  expect([count("a", 6_000), count("a", 6_001), count("a", 6_002)]).toEqual([
    undefined,
    undefined,
    1,
  ]);
});
