import { expect, test } from "vitest";
import { formatDuration } from "./format-duration.ts";

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_000, "1.0 s"],
  [59_940, "59.9 s"],
  [60_000, "1 min 0 s"],
  [125_900, "2 min 5 s"],
])("%d ms reads as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
