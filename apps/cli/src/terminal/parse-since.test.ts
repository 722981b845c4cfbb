import { expect, test } from "vitest";
import { parseSince } from "./parse-since.ts";

const now = Date.parse("2026-01-31T12:00:00.000Z");

test.each([
  ["2026-01-30", "2026-01-30T00:00:00.000Z"],
  ["2026-01-30T10:00:00Z", "2026-01-30T10:00:00.000Z"],
  ["30m", "2026-01-31T11:30:00.000Z"],
  ["12h", "2026-01-31T00:00:00.000Z"],
  ["7d", "2026-01-24T12:00:00.000Z"],
])("%s is %s", (text, instant) => {
  expect(parseSince(text, now)).toBe(instant);
});

test.each(["", "7", "yesterday", "7w", "2026-13-01", "-1d"])("%s is no time", (text) => {
  expect(() => parseSince(text, now)).toThrow("Write a time such as");
});
