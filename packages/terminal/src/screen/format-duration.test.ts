import { expect, test } from "vitest";
import { formatDuration } from "./format-duration.ts";

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_000, "1.0 s"],
  [59_940, "59.9 s"],
  [60_000, "1 min"],
  [125_900, "2 min 5 s"],
  [3_599_999, "59 min 59 s"],
  [3_600_000, "1 h"],
  [172_799_999, "47 h 59 min"],
  [172_800_000, "2 d"],
  [176_400_000, "2 d 1 h"],
])("%d ms reads as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
