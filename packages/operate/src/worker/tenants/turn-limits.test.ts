import type { TenantLimits } from "@turnseal/adapters/postgres";
import { expect, test } from "vitest";
import { createTurnLimits, PLACE_MS_MAX, SPENT_KEPT_MS } from "./turn-limits.ts";

const DAY_MS = 86_400_000;

/** Limits over a database of one tenant, with its statements. */
function open(limits: TenantLimits) {
  const state = {
    limits,
    tokens: 0,
    moneyMicros: 0,
    nowMs: 1_000_000,
    unpriced: "",
    isAway: false,
  };
  const asked: string[] = [];
  let nextMs = 0;
  const answer = async <Value>(what: string, value: () => Value): Promise<Value> => {
    asked.push(what);
    await Promise.resolve();
    if (state.isAway) throw new Error("away");
    return value();
  };
  const turnLimits = createTurnLimits({
    readLimits: async () => state.limits,
    recentLimits: () => undefined,
    quota: {
      readSpent: () =>
        answer("spent", () => {
          const { tokens, moneyMicros } = state;
          return { tokens, moneyMicros, endsAtMs: DAY_MS };
        }),
      takeStarts: (count, perSecond) =>
        answer(`starts ${count}`, () => {
          const firstAtMs = Math.max(nextMs, state.nowMs);
          nextMs = firstAtMs + (count * 1_000) / perSecond;
          return { firstAtMs, nowMs: state.nowMs };
        }),
    },
    now: () => state.nowMs,
  });
  const find = (isFirst = false, waited?: { what: string; untilMs: number }) =>
    turnLimits.find({ isFirst, waited, findUnpriced: () => state.unpriced || undefined });
  return { state, asked, turnLimits, find };
}

test("a tenant without limits is asked for nothing", async () => {
  const { asked, find, turnLimits } = open({ concurrency: 3 });
  expect(await find(true)).toBeUndefined();
  expect(turnLimits.isCounted()).toBe(false);
  expect(asked).toEqual([]);
});

test("a day's limit holds once it is reached, and a higher one at the next look", async () => {
  const { state, asked, find, turnLimits } = open({ tokensPerDay: 100, moneyMicrosPerDay: 50 });
  state.tokens = 99;
  expect(await find()).toBeUndefined();
  expect(turnLimits.isCounted()).toBe(true);
  state.tokens = 100;
  // This worker's own spending counts at once, that of others a moment later.
  expect(await find()).toBeUndefined();
  turnLimits.onCounted();
  expect(await find()).toEqual({ what: "tokens-per-day", untilMs: DAY_MS });
  state.limits = { tokensPerDay: 101, moneyMicrosPerDay: 50 };
  expect(await find()).toBeUndefined();
  state.moneyMicros = 50;
  state.nowMs += SPENT_KEPT_MS;
  expect(await find()).toEqual({ what: "money-per-day", untilMs: DAY_MS });
  expect(asked).toEqual(["spent", "spent", "spent"]);
});

test("a limit in money holds a run that may ask what has no price", async () => {
  const { state, find } = open({ moneyMicrosPerDay: 50 });
  state.unpriced = "openai/gpt";
  expect(await find()).toEqual({ what: "money-per-day, no price of openai/gpt" });
  state.limits = { tokensPerDay: 50 };
  expect(await find()).toBeUndefined();
});

test("a database that is away lets nothing begin, and is asked again", async () => {
  const { state, find } = open({ tokensPerDay: 100, startsPerSecond: 1 });
  state.isAway = true;
  await expect(find(true)).rejects.toThrow("away");
  state.isAway = false;
  expect(await find(true)).toBeUndefined();
});

test("starts take places, those at once in one question, and none takes two", async () => {
  const { state, asked, find } = open({ startsPerSecond: 2 });
  const found = await Promise.all(Array.from({ length: 5 }, () => find(true)));
  expect(asked).toEqual(["starts 1", "starts 4"]);
  const what = "starts-per-second 2";
  const places = [500, 1_000, 1_500, 2_000].map((ms) => ({ what, untilMs: state.nowMs + ms }));
  expect(found).toEqual([undefined, ...places]);
  const waited = { what, untilMs: state.nowMs + 2_000 };
  expect(await find(true, waited)).toEqual(waited);
  state.nowMs += 2_000;
  expect(await find(true, waited)).toBeUndefined();
  expect(await find(false)).toBeUndefined();
  expect(asked).toHaveLength(2);
  // A run that comes much later, with many others, waits again.
  state.nowMs += PLACE_MS_MAX;
  expect(await Promise.all([find(true, waited), find(true, waited)])).toEqual([
    undefined,
    { what, untilMs: state.nowMs + 500 },
  ]);
  // A place at another pace is none.
  state.limits = { startsPerSecond: 1_000 };
  const far = { what, untilMs: state.nowMs + DAY_MS };
  expect((await find(true, far))?.what).toBe("starts-per-second 1000");
});

test("a pace that is changed while starts never cease holds for those that come then", async () => {
  const { state, find } = open({ startsPerSecond: 1_000 });
  const what = "starts-per-second 1";
  const first = find(true);
  state.limits = { startsPerSecond: 1 };
  const later = await Promise.all([find(true), find(true), find(true)]);
  expect(await first).toBeUndefined();
  const [next, ...others] = later.map((found) => found?.untilMs ?? 0);
  expect(later.every((found) => found?.what === what)).toBe(true);
  expect(others).toEqual([1_000, 2_000].map((ms) => (next ?? 0) + ms));
});
