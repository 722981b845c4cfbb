// Caps, rules and limits hold for a run together with its handoffs (spec/run.md §10.8).
import type { JsonObject, Policy } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import {
  driveFamily,
  type FamilySetting,
  mostCommitted,
  openFamilyDesk,
} from "../__fixtures__/family-desk.ts";

const DAY = 10_000;
const CENTS = 9_000;
const hand = ["hand", CENTS] as const;
const pay = ["pay", CENTS] as const;
const four = [hand, hand, hand, hand];
const perDay = { perPeriod: { day: { "payments.cents": DAY } } };
const ways = [
  ["beside each other", true],
  ["one by one", false],
] as const;

async function driveDesk(setting: FamilySetting) {
  const desk = await openFamilyDesk(setting);
  await driveFamily(desk);
  return desk;
}

describe("a cap for a period", () => {
  test.each(ways)("is not passed by four runs that are handed to %s", async (_, isParallel) => {
    const desk = await driveDesk({ asks: four, isParallel, grant: perDay });
    expect(desk.paid()).toBe(CENTS);
    expect(await desk.findings()).toEqual([]);
    const events = await desk.eventsOf(desk.run);
    expect(mostCommitted(events, "payments.cents")).toBeLessThanOrEqual(DAY);
    for await (const { replayed } of desk.host.replay(desk.run))
      expect(replayed).toEqual({ kind: "identical" });
  });

  test.each(ways)("is not passed two levels below, %s", async (_, isParallel) => {
    const desk = await driveDesk({ asks: four, isParallel, levels: 2, grant: perDay });
    expect(desk.paid()).toBe(CENTS);
    expect(await desk.findings()).toEqual([]);
  });

  test("gives a run that asks for nothing what is left, and the next one the rest", async () => {
    const desk = await driveDesk({ asks: [pay, hand, hand], grant: perDay });
    const budgets = (await desk.slices()).map(({ budget }) => budget["payments.cents"]);
    expect(budgets).toEqual([DAY - CENTS, 0]);
    expect(desk.paid()).toBe(CENTS);
  });

  test("leaves room for others where a run asks for a part", async () => {
    const asks = [1, 2, 3].map(() => ["hand", 4_000] as const);
    const slice = { budget: { "payments.cents": 4_000 } };
    const desk = await driveDesk({ asks, slice, grant: perDay });
    expect(desk.paid()).toBe(8_000);
    expect(await desk.slices()).toHaveLength(2);
    const errors = (await desk.eventsOf(desk.run)).filter(({ type }) => type === "call.errored");
    expect(errors[0]?.content).toMatchObject({
      details: { unit: "payments.cents", period: "day" },
    });
  });

  test("holds for the least of several kinds, and for what the run asks of one", async () => {
    const caps = { hour: { "payments.cents": 7_000 }, day: { "payments.cents": DAY } };
    const slice = { perPeriod: { day: { "payments.cents": 2_000 } } };
    const least = async (asked: JsonObject): Promise<unknown> => {
      const desk = await driveDesk({ asks: [hand], slice: asked, grant: { perPeriod: caps } });
      expect(await desk.findings()).toEqual([]);
      return (await desk.slices())[0]?.budget;
    };
    expect(await least({})).toEqual({ "payments.cents": 7_000 });
    expect(await least(slice)).toEqual({ "payments.cents": 2_000 });
  });

  test("holds for money: what the run has paid for its models is taken off", async () => {
    const prices = {
      asOf: "2026-01-01",
      models: {
        "scripted/scripted": { inputMicrosPerMillion: 1_000_000, outputMicrosPerMillion: 0 },
      },
    };
    const caps = { perPeriod: { month: { moneyMicros: 50_000 } } };
    const desk = await driveDesk({ asks: [hand, hand], grant: caps, prices });
    const [first, second] = await desk.slices();
    expect(first?.budget.moneyMicros).toBeLessThan(50_000);
    expect(first?.budget.moneyMicros).toBeGreaterThan(0);
    expect(second?.budget.moneyMicros).toBe(0);
    expect(await desk.findings()).toEqual([]);
  });

  test.each([
    [4_000, DAY - 4_000 + 1, 0],
    [4_000, DAY - 4_000, DAY - 4_000],
  ])("counts what an open run of %i was handed the day before", async (part, cents, paid) => {
    // Only the run itself needs an approval: the run below it has no loops to hand to.
    const when = "has(grant.handoffs) && size(grant.handoffs) > 0";
    const ask = { id: "ask", decision: "ask", tools: ["local.pay"], when } as const;
    const rules = [ask, { id: "rest", decision: "allow" } as const];
    const desk = await openFamilyDesk({
      asks: [
        ["hand", part],
        ["pay", cents],
      ],
      slice: { budget: { "payments.cents": part } },
      ...{ grant: perDay, policy: { name: "desk", rules } },
    });
    await desk.host.advance(desk.run);
    desk.clock.advance(24 * 60 * 60 * 1_000 - 1);
    const [request] = await desk.host.requests(desk.run);
    expect(await desk.slices()).toHaveLength(1);
    desk.clock.advance(1);
    const by = { id: "bob", roles: [] };
    await desk.host.decide(desk.run, request?.id ?? "", { choice: "approve", by });
    await desk.host.advance(desk.run);
    expect(desk.paid()).toBe(paid);
  });

  test("counts a turn, and the handoff itself", async () => {
    const caps = { perPeriod: { day: { handoffs: 3, turns: 5 } } };
    const desk = await driveDesk({ asks: [hand], grant: caps });
    expect((await desk.slices())[0]?.budget).toEqual({ handoffs: 2, turns: 4 });
    expect(await desk.findings()).toEqual([]);
  });
});

const deny: Policy = {
  name: "desk",
  rules: [
    { id: "all", decision: "allow", tools: ["local.pay", "turnseal.handoff"] },
    {
      id: "much",
      decision: "deny",
      tools: ["local.pay"],
      when: "'payments.cents' in spend && spend['payments.cents'] + args.cents > 10000",
    },
  ],
};
const rich = { budget: { "payments.cents": 1_000_000 } };
const part = { budget: { "payments.cents": CENTS } };

describe("a rule on what was spent", () => {
  test.each(ways)("holds for four runs that are handed to %s", async (_, isParallel) => {
    const desk = await driveDesk({
      ...{ asks: four, isParallel, grant: rich, slice: part, policy: deny },
    });
    expect(desk.paid()).toBe(CENTS);
    expect(await desk.findings()).toEqual([]);
    expect(await desk.slices()).toHaveLength(4);
  });

  test.each(ways)("holds for a payment and three runs, %s", async (_, isParallel) => {
    const asks = [pay, hand, hand, hand];
    const desk = await driveDesk({ asks, isParallel, grant: rich, slice: part, policy: deny });
    expect(desk.paid()).toBe(CENTS);
  });

  test("holds for a payment that comes after a run was handed to", async () => {
    const desk = await driveDesk({ asks: [hand, pay], grant: rich, slice: part, policy: deny });
    expect(desk.paid()).toBe(CENTS);
  });

  test.each(ways)("holds where no cap says what a run may spend, %s", async (_, isParallel) => {
    const asks = [hand, hand, pay];
    const desk = await driveDesk({ asks, isParallel, policy: deny });
    expect(desk.paid()).toBe(CENTS);
    expect(await desk.findings()).toEqual([]);
    for await (const { replayed } of desk.host.replay(desk.run))
      expect(replayed).toEqual({ kind: "identical" });
  });

  test("lets a run begin beside another that has a cap, and not beside one without", async () => {
    const begun = async (setting: Partial<FamilySetting>): Promise<number> => {
      const desk = await openFamilyDesk({ asks: four, policy: deny, ...setting });
      await desk.host.advance(desk.run);
      return (await desk.slices()).length;
    };
    expect(await begun({ grant: rich, slice: part })).toBe(4);
    expect(await begun({})).toBe(1);
    const other = { ...deny, rules: deny.rules.slice(0, 1) };
    expect(await begun({ policy: other })).toBe(4);
  });

  test("holds two levels below", async () => {
    const desk = await driveDesk({
      ...{ asks: four, levels: 2, grant: rich, slice: part, policy: deny },
    });
    expect(desk.paid()).toBe(CENTS);
    expect(await desk.findings()).toEqual([]);
  });

  test("allows what is left of the sum", async () => {
    const asks = [["hand", 6_000] as const, ["hand", 4_000] as const, ["hand", 1] as const];
    const slice = { budget: { "payments.cents": 6_000 } };
    const desk = await driveDesk({ asks, isParallel: false, grant: rich, slice, policy: deny });
    expect(desk.paid()).toBe(10_000);
  });
});

const term = (fanout: number) => ({
  ...{ id: "t", family: "acme.api", resource: "r", verbs: ["read"], capabilities: [] },
  ...{ bounds: { limits: { fanout } }, conditions: [], approvals: [] },
});
const needs = {
  terms: [{ family: "acme.api", resource: "r", verb: "read", amounts: { fanout: 1 } }],
};

describe("a limit on how many act at once", () => {
  test.each([
    [1, 1, 1],
    [2, 1, 2],
    [2, 2, 1],
  ])("of %i, where each run may have %i, lets %i act", async (fanout, each, most) => {
    const { id: _, ...asked } = term(each);
    const desk = await openFamilyDesk({
      ...{ asks: four, needs, slice: { terms: [asked] }, grant: { terms: [term(fanout)] } },
    });
    await driveFamily(desk);
    expect(desk.mostAtOnce()).toBe(most);
    expect(desk.paid()).toBe(4 * CENTS);
    expect(await desk.findings()).toEqual([]);
  });

  test("keeps the run itself from acting beside a run that may have all of it", async () => {
    const { id: _, ...asked } = term(1);
    const desk = await openFamilyDesk({
      ...{ asks: [hand, pay], needs, slice: { terms: [asked] }, grant: { terms: [term(1)] } },
    });
    await desk.host.advance(desk.run);
    expect(desk.paid()).toBe(0);
    await driveFamily(desk);
    expect(desk.paid()).toBe(2 * CENTS);
  });

  test("is not had twice by two terms of one run", async () => {
    const { id: _, ...one } = term(1);
    const terms = [one, { ...one, conditions: ["args.cents > 1"] }];
    const desk = await openFamilyDesk({
      ...{ asks: [hand], needs, slice: { terms }, grant: { terms: [term(1)] } },
    });
    await driveFamily(desk);
    expect(desk.paid()).toBe(0);
    const errors = (await desk.eventsOf(desk.run)).filter(({ type }) => type === "call.errored");
    expect(errors[0]?.content).toMatchObject({ details: { denial: "grant-widened" } });
  });
});
