import { expect, test } from "vitest";
import { isDateTime } from "./date-time.ts";

test.each(["2026-11-17T12:00:00Z", "2026-11-17T12:00:00.123456789Z", "2024-02-29T23:59:59-23:59"])(
  "%s is one",
  (text) => {
    expect(isDateTime(text)).toBe(true);
  },
);

test.each([
  ["a day that is not in the calendar", "2026-02-30T12:00:00Z"],
  ["an hour too many", "2026-11-17T24:00:00Z"],
  ["a month too many", "2026-13-17T12:00:00Z"],
  ["an offset of a day", "2026-11-17T12:00:00+24:00"],
  ["an offset without minutes", "2026-11-17T12:00:00+02"],
  ["ten digits of a second", "2026-11-17T12:00:00.1234567890Z"],
  ["a space in place of the letter", "2026-11-17 12:00:00Z"],
  ["a number", 1_763_380_800_000],
])("%s is none", (_, value) => {
  expect(isDateTime(value)).toBe(false);
});
