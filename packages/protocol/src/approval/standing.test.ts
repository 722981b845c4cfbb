import { expect, test } from "vitest";
import {
  mayBeStandingTerms,
  STANDING_UNITS_MAX,
  STANDING_USES_MAX,
  STANDING_WITHIN_MS_MAX,
} from "../policy/standing-terms.ts";
import { drawRest, hasRest, isWithinStanding, narrowStanding } from "./standing.ts";

const most = { uses: 3, withinMs: 1_000, amounts: { "payments.cents": 500 } };

test("terms keep to STANDING_USES_MAX, STANDING_WITHIN_MS_MAX and STANDING_UNITS_MAX", () => {
  const units = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`mail.a${"b".repeat(index)}`, 1]),
    );
  expect(mayBeStandingTerms({ uses: STANDING_USES_MAX, withinMs: 1 })).toBe(true);
  expect(mayBeStandingTerms({ uses: STANDING_USES_MAX + 1, withinMs: 1 })).toBe(false);
  expect(mayBeStandingTerms({ uses: 1, withinMs: STANDING_WITHIN_MS_MAX })).toBe(true);
  expect(mayBeStandingTerms({ uses: 1, withinMs: STANDING_WITHIN_MS_MAX + 1 })).toBe(false);
  const of = (count: number) => ({ uses: 1, withinMs: 1, amounts: units(count) });
  expect(mayBeStandingTerms(of(STANDING_UNITS_MAX))).toBe(true);
  expect(mayBeStandingTerms(of(STANDING_UNITS_MAX + 1))).toBe(false);
});

test.each([
  ["as much", most, true],
  ["a unit more of its own", { ...most, amounts: { ...most.amounts, "mail.letters": 9 } }, true],
  ["a use more", { ...most, uses: 4 }, false],
  ["a millisecond more", { ...most, withinMs: 1_001 }, false],
  ["a cent more", { ...most, amounts: { "payments.cents": 501 } }, false],
  ["no limit in cents", { uses: 3, withinMs: 1_000 }, false],
  ["another unit in its place", { ...most, amounts: { "mail.letters": 1 } }, false],
  ["no use", { ...most, uses: 0 }, false],
])("what is given is no more than what may be: %s", (_, given, expected) => {
  expect(isWithinStanding(given, most)).toBe(expected);
});

test("the narrower of two has the smallest numbers and every limit", () => {
  const other = { uses: 9, withinMs: 10, amounts: { "mail.letters": 2, "payments.cents": 900 } };
  expect(narrowStanding(most, other)).toEqual({
    ...{ uses: 3, withinMs: 10 },
    amounts: { "payments.cents": 500, "mail.letters": 2 },
  });
  expect(narrowStanding({ uses: 1, withinMs: 1 }, { uses: 2, withinMs: 2 })).toEqual({
    ...{ uses: 1, withinMs: 1 },
  });
});

test("a use counts one, and what the action reserves", () => {
  const rest = { usesLeft: 2, left: { "payments.cents": 500 } };
  expect(hasRest(rest, { "payments.cents": 500 })).toBe(true);
  expect(hasRest(rest, { "payments.cents": 501 })).toBe(false);
  expect(hasRest(rest, {})).toBe(false);
  expect(hasRest({ usesLeft: 0 }, {})).toBe(false);
  expect(drawRest(rest, { "payments.cents": 200, toolCalls: 1 })).toEqual({
    ...{ usesLeft: 1, left: { "payments.cents": 300 } },
  });
  expect(drawRest({ usesLeft: 0 }, {})).toEqual({ usesLeft: 0 });
});
