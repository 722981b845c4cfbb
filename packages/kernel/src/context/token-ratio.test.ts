import { expect, test } from "vitest";
import { TOKEN_RATIO_MAX } from "../limits.ts";
import { findRatio } from "./token-ratio.ts";

test("a request of a quarter of the room says how it was counted, a smaller one nothing", () => {
  expect(findRatio(500, 250, 1_000)).toBe(2);
  expect(findRatio(500, 249, 1_000)).toBeUndefined();
  expect(findRatio(undefined, 250, 1_000)).toBeUndefined();
  expect(findRatio(500, 0, 0)).toBeUndefined();
});

test("what is counted beyond TOKEN_RATIO_MAX is not believed", () => {
  expect(findRatio(TOKEN_RATIO_MAX, 1_000, 1_000)).toBe(TOKEN_RATIO_MAX / 1_000);
  expect(findRatio(TOKEN_RATIO_MAX + 1, 1_000, 1_000)).toBe(TOKEN_RATIO_MAX / 1_000);
});
