import { describe, expect, test } from "vitest";
import { NO_SPENDING, type Spending } from "./budget.ts";
import { capByPeriods, carryOpen } from "./share-budget.ts";

const at = "2026-01-02T10:00:00.000Z";
const today = { period: "2026-01-02", amounts: { "a.b": 3, turns: 1 } };
const spending: Spending = { ...NO_SPENDING, periodic: { day: today } };

describe("what a slice may spend", () => {
  const caps = { budget: {}, perPeriod: { day: { "a.b": 10, turns: 5 } } };
  test("is what is left of each period, where nothing was asked", () => {
    expect(capByPeriods({ budget: {} }, caps, { spending, at })).toEqual({ "a.b": 7, turns: 4 });
  });
  test("is what was asked, also where that is more than is left", () => {
    const asked = { budget: { "a.b": 9 } };
    expect(capByPeriods(asked, caps, { spending, at })).toEqual({ "a.b": 9, turns: 4 });
  });
  test("is no more than the caller has of a call, and of the whole", () => {
    const tight = { ...caps, budget: { turns: 2 }, perCall: { "a.b": 6 } };
    expect(capByPeriods({ budget: {} }, tight, { spending, at })).toEqual({ "a.b": 6, turns: 2 });
  });
  test("is nothing where nothing is left, and never less", () => {
    const over = { ...today, amounts: { "a.b": 11, turns: 5 } };
    const spent = { ...NO_SPENDING, periodic: { day: over } };
    expect(capByPeriods({ budget: {} }, caps, { spending: spent, at })).toEqual({
      "a.b": 0,
      turns: 0,
    });
  });
  test("is only what was asked where nothing is counted by period", () => {
    const budget = { effects: 2 };
    expect(capByPeriods({ budget }, { budget: { effects: 5 } }, { spending, at })).toBe(budget);
  });
});

describe("what is reserved for a run that is open", () => {
  const reserve = { "a.b": 4 };
  test("counts in a later period beside what is counted there", () => {
    const open = [{ reserve, periods: { day: "2026-01-01" } }];
    expect(carryOpen(spending, open, at).periodic).toEqual({
      day: { period: "2026-01-02", amounts: { "a.b": 7, turns: 1 } },
    });
    expect(carryOpen(NO_SPENDING, open, at).periodic).toEqual({
      day: { period: "2026-01-02", amounts: reserve },
    });
  });
  test("counts once in its own period", () => {
    const open = [{ reserve, periods: { day: "2026-01-02" } }];
    expect(carryOpen(spending, open, at)).toEqual(spending);
  });
  test("counts in no kind that its claim does not name", () => {
    expect(carryOpen(spending, [{ reserve }], at)).toEqual(spending);
  });
});
