import { type Amounts, type Grant, NO_SPENDING, type Spending } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { grantRollback, isExpired } from "./grant-rollback.ts";
import type { RemainingBudget } from "./read-remaining-budgets.ts";

const now = "2026-11-15T22:10:00.000Z";
const wanted = {
  ...{ undos: ["local.pay.undo", "local.pay.undo"], nowMs: Date.parse(now) },
};
const needed: Amounts = { turns: 1, toolCalls: 2, effects: 2 };

function purseOf(own: Partial<Grant>, ...spent: readonly Partial<Spending>[]): RemainingBudget {
  const grant: Grant = { grantor: "ada", tools: ["local.pay"], budget: {}, ...own };
  return { grant, spent: spent.map((spending) => ({ ...NO_SPENDING, ...spending })) };
}

function grantOf(own: Partial<Grant>, ...spent: readonly Partial<Spending>[]) {
  return { grant: grantRollback(purseOf(own, ...spent), [], wanted) };
}

test("it names its compensations, each as often as it is needed, and nothing else", () => {
  expect(grantOf({ handoffs: ["other"], scopes: ["repo:read"] })).toEqual({
    grant: {
      ...{ grantor: "ada", tools: ["local.pay.undo"], scopes: ["repo:read"] },
      budget: needed,
    },
  });
});

test("amounts are what the run had left, with what is assumed to be spent and what is open", () => {
  const budget = { moneyMicros: 100, "payments.cents": 50, effects: 2, turns: 5 };
  const spending = {
    ...{ settled: { moneyMicros: 30, effects: 2 }, assumed: { moneyMicros: 20 } },
    open: { "payments.cents": 60 },
  };
  expect(grantOf({ budget }, spending)).toMatchObject({
    grant: { budget: { ...needed, moneyMicros: 50, "payments.cents": 0 } },
  });
});

test("what one action may cost, and until when, is what it was", () => {
  const caps = { perCall: { moneyMicros: 9 }, expiresAt: "2026-11-16T00:00:00.000Z" };
  expect(grantOf(caps)).toMatchObject({ grant: caps });
  expect(isExpired({ expiresAt: now }, Date.parse(now))).toBe(true);
  expect(isExpired({ expiresAt: now }, Date.parse(now) - 1)).toBe(false);
  expect(isExpired({}, Date.parse(now))).toBe(false);
});

test("of a period it has what the run left of it, and its actions", () => {
  const perPeriod = { hour: { moneyMicros: 9, effects: 3 }, day: { moneyMicros: 20 } };
  const periodic = {
    hour: { period: "2026-11-15T22", amounts: { moneyMicros: 8, effects: 3 } },
    day: { period: "2026-11-14", amounts: { moneyMicros: 20 } },
  };
  expect(grantOf({ perPeriod }, { periodic })).toMatchObject({
    grant: { perPeriod: { hour: { moneyMicros: 1, effects: 2 }, day: { moneyMicros: 20 } } },
  });
});

test("what earlier rollbacks took is gone, of a budget and of a period", () => {
  const caps = { budget: { moneyMicros: 100 }, perPeriod: { hour: { moneyMicros: 60 } } };
  const hour = (moneyMicros: number) => ({ period: "2026-11-15T22", amounts: { moneyMicros } });
  const spent = (moneyMicros: number) => ({
    ...{ settled: { moneyMicros }, periodic: { hour: hour(moneyMicros) } },
  });
  expect(grantOf(caps, spent(10), spent(30))).toMatchObject({
    grant: { budget: { moneyMicros: 60 }, perPeriod: { hour: { moneyMicros: 20 } } },
  });
  expect(grantOf(caps, spent(10), spent(90), { open: { moneyMicros: 90 } })).toMatchObject({
    grant: { budget: { moneyMicros: 0 }, perPeriod: { hour: { moneyMicros: 0 } } },
  });
});

test("it has no more than any run above had left", () => {
  const own = purseOf({ budget: { moneyMicros: 50 }, perPeriod: { day: { moneyMicros: 40 } } });
  const parent = purseOf(
    { budget: { moneyMicros: 100, "payments.cents": 7 }, perPeriod: { day: { moneyMicros: 30 } } },
    { settled: { moneyMicros: 80 } },
  );
  expect({ grant: grantRollback(own, [parent], wanted) }).toMatchObject({
    grant: {
      budget: { ...needed, moneyMicros: 20, "payments.cents": 7 },
      perPeriod: { day: { moneyMicros: 30 } },
    },
  });
});
