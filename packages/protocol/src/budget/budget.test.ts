import { assert, constantFrom, dictionary, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AMOUNT_MAX,
  addAmounts,
  areAmounts,
  BUDGET_UNITS,
  committed,
  findExcess,
  findOverrun,
  listUnits,
  NAMED_UNITS_MAX,
  NO_SPENDING,
  subtractAmounts,
} from "./budget.ts";

const amounts = dictionary(
  constantFrom(...BUDGET_UNITS, "payments.cents", "acme.lines"),
  integer({ min: 0, max: 1e9 }),
);

describe("arithmetic", () => {
  test("adding and taking away again leaves what was there, without zeros", () => {
    assert(
      property(amounts, amounts, (left, right) => {
        expect(subtractAmounts(addAmounts(left, right), right)).toEqual(addAmounts(left, {}));
        expect(addAmounts(left, right)).toEqual(addAmounts(right, left));
      }),
    );
  });

  test("zero is written as absence", () => {
    expect(addAmounts({ turns: 0 }, { rounds: 0 })).toEqual({});
    expect(subtractAmounts({ turns: 2 }, { turns: 2 })).toEqual({});
  });

  test("a sum stays at the largest amount that is exact everywhere", () => {
    expect(addAmounts({ inputTokens: AMOUNT_MAX - 1 }, { inputTokens: 1 })).toEqual({
      inputTokens: AMOUNT_MAX,
    });
    expect(addAmounts({ inputTokens: AMOUNT_MAX }, { inputTokens: AMOUNT_MAX })).toEqual({
      inputTokens: AMOUNT_MAX,
    });
  });

  test("settled, assumed and open count alike", () => {
    const spending = {
      settled: { turns: 1 },
      assumed: { turns: 2 },
      open: { turns: 4, rounds: 1 },
    };
    expect(committed(spending)).toEqual({ turns: 7, rounds: 1 });
  });
});

describe("caps", () => {
  const spending = { ...NO_SPENDING, settled: { toolCalls: 2 }, open: { toolCalls: 1 } };

  test("what reaches the cap fits, one more does not", () => {
    expect(findOverrun({ toolCalls: 4 }, spending, { toolCalls: 1 })).toBeUndefined();
    expect(findOverrun({ toolCalls: 4 }, spending, { toolCalls: 2 })).toBe("toolCalls");
  });

  test("a cap that is absent is no cap, and one of zero allows nothing", () => {
    expect(findOverrun({}, spending, { toolCalls: 1e9 })).toBeUndefined();
    expect(findOverrun({ effects: 0 }, NO_SPENDING, { effects: 1 })).toBe("effects");
  });

  test("a unit that is over its cap already refuses what wants none of it", () => {
    expect(findOverrun({ toolCalls: 2 }, spending, { modelCalls: 1 })).toBe("toolCalls");
  });

  test("the first unit in the order of the list is named", () => {
    const cap = { activeMs: 0, turns: 0 };
    expect(findOverrun(cap, NO_SPENDING, { activeMs: 1, turns: 1 })).toBe("turns");
  });
});

describe("units of the operator's own", () => {
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`acme.u${index}`, 1]));

  test("come after ours, in their own order", () => {
    expect(listUnits({ "b.x": 1, turns: 1 }, { "a.x": 1, activeMs: 1 })).toEqual([
      "turns",
      "activeMs",
      "a.x",
      "b.x",
    ]);
  });

  test("are added and capped like ours", () => {
    expect(addAmounts({ "a.x": 1 }, { "a.x": 2, "b.x": 1 })).toEqual({ "a.x": 3, "b.x": 1 });
    const spending = { ...NO_SPENDING, settled: { "payments.cents": 6 } };
    expect(findOverrun({ "payments.cents": 10 }, spending, { "payments.cents": 6 })).toBe(
      "payments.cents",
    );
  });

  test("are not claimed past AMOUNT_MAX, also where there is no cap", () => {
    const unit = "payments.cents";
    const spending = { ...NO_SPENDING, open: { [unit]: AMOUNT_MAX - 1 } };
    expect(findOverrun({}, spending, { [unit]: 1 })).toBeUndefined();
    expect(findOverrun({}, spending, { [unit]: 2 })).toBe(unit);
    expect(findOverrun({ [unit]: AMOUNT_MAX }, spending, { [unit]: AMOUNT_MAX })).toBe(unit);
    const periodic = { day: { period: "2026-11-15", amounts: { [unit]: AMOUNT_MAX } } };
    const caps = { budget: {}, perPeriod: { day: {} } };
    const wanted = { wanted: { [unit]: 1 }, at: "2026-11-15T22:10:00.000Z" };
    expect(findExcess(caps, { ...NO_SPENDING, periodic }, wanted)).toEqual({
      cap: "perPeriod",
      period: "day",
      unit,
    });
  });

  test("are at most NAMED_UNITS_MAX, also as a sum", () => {
    expect(areAmounts(named(NAMED_UNITS_MAX))).toBe(true);
    expect(areAmounts(named(NAMED_UNITS_MAX + 1))).toBe(false);
    const spending = { ...NO_SPENDING, settled: named(NAMED_UNITS_MAX) };
    expect(findOverrun({}, spending, { "acme.u0": 1 })).toBeUndefined();
    expect(findOverrun({}, spending, { "zoo.x": 1 })).toBe("zoo.x");
    const caps = { budget: {} };
    expect(
      findExcess(caps, spending, { wanted: { "zoo.x": 1 }, at: "2026-11-15T22:10:00.000Z" }),
    ).toEqual({
      cap: "budget",
      unit: "zoo.x",
    });
  });
});

describe("amounts from outside", () => {
  test("whole numbers of known units are amounts", () => {
    expect(areAmounts({})).toBe(true);
    expect(areAmounts({ turns: 0, moneyMicros: AMOUNT_MAX, handoffs: 1 })).toBe(true);
    expect(areAmounts({ "payments.cents": 1200 })).toBe(true);
  });

  test.each([
    null,
    [],
    "turns",
    { turns: -1 },
    { turns: 1.5 },
    { turns: "1" },
    { turns: AMOUNT_MAX + 1 },
    { turns: Number.NaN },
    { turns: null },
    { dollars: 1 },
    { "Payments.cents": 1 },
    { "payments.": 1 },
    { "payments.cents": -1 },
    { constructor: 1 },
    JSON.parse('{"__proto__": 1}'),
  ])("%j is none", (value) => {
    expect(areAmounts(value)).toBe(false);
  });
});
