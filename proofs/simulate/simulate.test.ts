/**
 * A small simulation with every test run, and what the report makes of it. The full size is `npm
 * run simulate`.
 */
import { type Effect, type JsonObject, STOP_REASONS } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createRandom } from "./random.ts";
import { renderReport } from "./render-report.ts";
import { consult, type SimulatedPolicy, totalOf } from "./rules.ts";
import { runSeed, type SeedResult } from "./run-seed.ts";
import { createSummary, median } from "./summary.ts";
import { ANSWERS, DECISIONS, FATES, FAULTS, RARE, RARE_AMONG, REQUIRED, TEXTS } from "./tally.ts";
import { WANTED } from "./wanted.ts";

const SEEDS = 40;
const TIMEOUT_MS = 300_000;

test("every promise of the runtime holds in forty seeds", { timeout: TIMEOUT_MS }, async () => {
  const summary = createSummary(WANTED, { isSingle: false });
  for (let seed = 1; seed <= SEEDS; seed++) summary.add(await runSeed(seed));
  const { faults, medians, counts } = summary.read();
  expect(faults).toEqual([]);
  for (const figure of ["turns", "workers", "crashes"] as const)
    expect(medians[figure]).toBeGreaterThanOrEqual(WANTED.medians[figure]);
  const shown = ["stop goal-reached", "fate handoff-3", "answer used approval", "decision answer"];
  for (const what of shown) expect([what, counts[what] ?? 0]).not.toEqual([what, 0]);
});

test("a seed replays exactly, step by step and event by event", async () => {
  for (const seed of [1, 2, 3]) expect(await runSeed(seed)).toEqual(await runSeed(seed));
  expect((await runSeed(1)).head).not.toBe((await runSeed(2)).head);
});

test("the same seed gives the same numbers, and another one others", () => {
  const draw = (seed: number): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => random.below(1_000));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(() => createRandom(1).pick([])).toThrow("there is nothing to pick from");
});

test("a report is not sound with a broken promise, or when something never occurred", () => {
  const everything = new Map(REQUIRED.map((what): [string, number] => [what, 1]));
  const result: SeedResult = {
    seed: 1,
    fault: undefined,
    steps: 3,
    figures: { turns: 5, workers: 2, crashes: 1 },
    runs: 1,
    stop: "goal-reached",
    head: "",
    counts: everything,
  };
  const read = (results: readonly SeedResult[]) => {
    const summary = createSummary(WANTED, { isSingle: false });
    for (const one of results) summary.add(one);
    return summary.read();
  };
  expect(read([result]).isSound).toBe(true);
  expect(read([result, { ...result, seed: 2, fault: "twice" }])).toMatchObject({
    isSound: false,
    faults: [{ seed: 2, fault: "twice" }],
  });
  const lacking = read([{ ...result, counts: new Map([["fault freeze", 2]]) }]);
  expect(lacking.isSound).toBe(false);
  // Rare figures are required only of many seeds.
  expect(lacking.missing).toHaveLength(REQUIRED.length - 1 - RARE.size);
  const rare = [...RARE].map((what): [string, number] => [what, 1]);
  const many = Array.from({ length: RARE_AMONG }, () => ({ ...result, counts: new Map() }));
  expect(read(many).missing).toEqual(REQUIRED);
  expect(read([...many, { ...result, counts: new Map(rare) }]).missing).toHaveLength(
    REQUIRED.length - RARE.size,
  );
  expect(renderReport(lacking)).toContain("0  stop goal-reached (must occur)");
});

test("rules are judged without the runtime, and against whoever leaves something out", () => {
  const rules: SimulatedPolicy = {
    limits: new Map([
      ["deny", { cents: 900, isTotal: false }],
      ["two", { cents: 500, isTotal: false }],
      ["deny-total", { cents: 2_000, isTotal: true }],
    ]),
    policy: {
      name: "test",
      rules: [
        { id: "one", decision: "ask", tools: ["local.pay"], approvers: 1 },
        { id: "two", decision: "ask", tools: ["local.*"], approvers: 2 },
        { id: "deny", decision: "deny", tools: ["local.pay"] },
        { id: "deny-total", decision: "deny", tools: ["local.pay"] },
        { id: "rest", decision: "allow", tools: ["local.*"] },
      ],
    },
  };
  const say = (tool: string, args: JsonObject, effect: Effect = "once", spentCents = 0) => {
    const verdict = consult(rules, tool, { effect, args, spentCents });
    return verdict.kind === "ask" ? verdict.terms.approvers : verdict.kind;
  };
  expect(say("local.pay", { cents: 901 })).toBe("deny");
  expect(say("local.pay", {})).toBe("deny");
  expect(say("local.pay", { cents: 900 })).toBe(2);
  expect(say("local.pay", { cents: 500 })).toBe(1);
  expect(say("local.put", { cents: 500 })).toBe("allow");
  expect(say("local.put", {})).toBe(2);
  expect(say("other.put", { cents: 1 })).toBe("deny");
  expect(say("other.look", { cents: 1 }, "read")).toBe("allow");
  expect(say("local.pay", { cents: 500 }, "once", 1_500)).toBe(1);
  expect(say("local.pay", { cents: 500 }, "once", 1_501)).toBe("deny");
  expect([totalOf(rules), totalOf(undefined)]).toEqual([2_000, Number.POSITIVE_INFINITY]);
  const paying = { effect: "once", args: {}, spentCents: 0 } as const;
  expect(consult(undefined, "local.pay", paying)).toEqual({ kind: "allow" });
});

test("what must occur names every fault, fate, decision and stop reason that exists", () => {
  const named = [FAULTS, FATES, DECISIONS, ANSWERS, TEXTS, STOP_REASONS];
  expect(REQUIRED).toHaveLength(named.reduce((sum, { length }) => sum + length, 0));
  expect(REQUIRED).toContain("stop approval-expired");
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2);
  expect(median([])).toBe(0);
});
