import { assert, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { PERIOD_KINDS, type PeriodKind, periodFacts, periodOf } from "./period.ts";

const [FIRST_MS, LAST_MS] = [
  Date.parse("0001-01-01T00:00:00.000Z"),
  Date.parse("9999-12-31T23:59:59.999Z"),
];
const DAY_MS = 24 * 60 * 60 * 1000;
const instant = integer({ min: 0, max: LAST_MS - FIRST_MS }).map((ms) => FIRST_MS + ms);
const nameOf = (kind: PeriodKind, ms: number) => periodOf(kind, new Date(ms).toISOString());

test.each<[PeriodKind, string, string]>([
  ["hour", "2026-11-15T22:59:59.999Z", "2026-11-15T22"],
  ["hour", "2026-11-15T23:00:00.000Z", "2026-11-15T23"],
  ["day", "2026-11-15T23:59:59.999Z", "2026-11-15"],
  ["month", "2026-11-30T23:59:59.999Z", "2026-11"],
  ["month", "2026-12-01T00:00:00.000Z", "2026-12"],
  // A Sunday, and the Monday after it.
  ["week", "2026-11-15T23:59:59.999Z", "2026-W46"],
  ["week", "2026-11-16T00:00:00.000Z", "2026-W47"],
  // The year of a week is that of its Thursday.
  ["week", "2024-12-30T00:00:00.000Z", "2025-W01"],
  ["week", "2027-01-03T23:59:59.999Z", "2026-W53"],
  ["week", "2027-01-04T00:00:00.000Z", "2027-W01"],
  ["week", "0001-01-01T00:00:00.000Z", "0001-W01"],
  ["week", "0099-12-31T00:00:00.000Z", "0099-W53"],
  ["week", "9999-12-31T23:59:59.999Z", "9999-W52"],
])("the %s of %s is %s", (kind, at, name) => {
  expect(periodOf(kind, at)).toBe(name);
});

describe.each(PERIOD_KINDS)("names of the kind %s", (kind) => {
  test("have the order of their times", () => {
    assert(
      property(instant, instant, (one, other) => {
        const [earlier, later] = one <= other ? [one, other] : [other, one];
        expect(nameOf(kind, earlier) <= nameOf(kind, later)).toBe(true);
      }),
    );
  });
});

test("a week has seven days, and begins with a Monday", () => {
  assert(
    property(instant, (ms) => {
      const sinceMonday = ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS;
      const monday = Math.floor(ms / DAY_MS) * DAY_MS - sinceMonday;
      const days = [0, 1, 2, 3, 4, 5, 6].map((day) => monday + day * DAY_MS);
      const names = days.filter((day) => day <= LAST_MS).map((day) => nameOf("week", day));
      expect(new Set(names).size).toBe(1);
      if (monday > FIRST_MS) expect(nameOf("week", monday - 1)).not.toBe(names[0]);
    }),
  );
});

test("an event names the periods of the kinds that have a cap", () => {
  const at = "2026-11-15T22:10:00.000Z";
  expect(periodFacts({ month: {}, hour: { turns: 1 } }, at)).toEqual({
    periods: { hour: "2026-11-15T22", month: "2026-11" },
  });
  expect(periodFacts({}, at)).toEqual({});
  expect(periodFacts(undefined, at)).toEqual({});
});
