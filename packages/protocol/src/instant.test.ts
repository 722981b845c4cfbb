import { expect, test } from "vitest";
import { isInstant, toInstant } from "./instant.ts";

test.each([
  ["2030-01-31T12:00:00Z", "2030-01-31T12:00:00.000Z"],
  ["2030-01-31T12:00:00.5Z", "2030-01-31T12:00:00.500Z"],
  ["2030-01-31T12:00:00.123Z", "2030-01-31T12:00:00.123Z"],
  ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
])("%s is written %s in records", (written, recorded) => {
  expect(toInstant(written)).toBe(recorded);
  expect(isInstant(recorded)).toBe(true);
});

test.each([
  "2030-01-31",
  "2030-01-31T12:00Z",
  "2030-01-31T12:00:00",
  "2030-01-31T12:00:00+01:00",
  "2030-01-31T12:00:00.1234Z",
  "2030-02-30T12:00:00Z",
  "2030-01-31T25:00:00Z",
  "2030-01-31T24:00:00Z",
  " 2030-01-31T12:00:00Z",
  "2030-01-31T12:00:00Z\n",
  "",
  0,
  null,
  undefined,
])("%j is no instant", (value) => {
  expect(toInstant(value)).toBeUndefined();
  expect(isInstant(value)).toBe(false);
});

test("records have one form only, so that their texts sort as their times do", () => {
  expect(isInstant("2030-01-31T12:00:00Z")).toBe(false);
  expect("2030-01-31T12:00:00.500Z" < "2030-01-31T12:00:00.501Z").toBe(true);
});
