import { expect, test } from "vitest";
import { formatMoment } from "./format-moment.ts";

// Made of local parts, so that the zone of the machine is no matter.
const at = (...parts: [number, number, number, number, number]): string =>
  new Date(...parts).toISOString();
const now = new Date(2026, 10, 16, 23, 59).getTime();

test.each([
  [at(2026, 10, 16, 0, 5), "00:05"],
  [at(2026, 10, 15, 23, 59), "11-15 23:59"],
  [at(2026, 0, 2, 9, 0), "01-02 09:00"],
  [at(2025, 10, 16, 23, 59), "2025-11-16"],
  ["", ""],
  ["soon", ""],
])("%s is shown as %s", (iso, shown) => {
  expect(formatMoment(iso, now)).toBe(shown);
});
