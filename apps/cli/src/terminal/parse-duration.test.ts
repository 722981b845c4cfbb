import { expect, test } from "vitest";
import { parseDuration } from "./parse-duration.ts";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

test.each([
  ["0", 0],
  ["0s", 0],
  ["30s", 30_000],
  ["15m", 900_000],
  ["2h", 7_200_000],
  ["7d", WEEK_MS],
])("%s is %i ms", (text, ms) => {
  expect(parseDuration(text, WEEK_MS)).toBe(ms);
});

test.each(["", "15", "m", "-1m", "1.5h", "8d", "15 m", "1w", "9999999s"])(
  "%j is refused",
  (text) => {
    expect(() => parseDuration(text, WEEK_MS)).toThrow("Write a duration");
  },
);
