/**
 * Each unit of a budget at its cap and one past it, and what several claims draw from one
 * remainder.
 */
import { scriptedModel } from "@turnseal/ports";
import type { Amounts, PriceTable } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { compositeLoop, promptLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import { LOG_WAIT_MS_MAX, OUTPUT_TOKENS_DEFAULT } from "../limits.ts";
import { crashAt, openRun, settle } from "../turn/sample-run.test.data.ts";

const prices: PriceTable = {
  asOf: "2026-01-01",
  models: {
    "sample/scripted": { inputMicrosPerMillion: 1_000_000, outputMicrosPerMillion: 2_000_000 },
  },
};

/** A composite that asks a model once and pays twice. */
function openAll(budget: Amounts, fields: { readonly prices?: PriceTable } = { prices }) {
  return openRun({
    loops: [
      compositeLoop("all", [step("ask"), step("pay"), step("pay")]),
      promptLoop("ask", { prompt: { template: "Go", variables: [], maxTokens: 100 } }),
      toolLoop("pay"),
    ],
    model: scriptedModel([{ text: "yes", usage: { inputTokens: 3, outputTokens: 2 } }]),
    tools: { "local.pay": () => ({}) },
    budget,
    ...fields,
  });
}

/** The reservation of one request. */
async function readReserve(): Promise<Amounts> {
  const run = openAll({});
  await run.turn();
  return (await run.contents("action.claimed"))[0]?.reserve as Amounts;
}

test("a request reserves a token for each byte, its output limit, and their price", async () => {
  const { inputTokens = 0, ...reserve } = await readReserve();
  expect(inputTokens).toBeGreaterThan(10);
  expect(reserve).toEqual({
    rounds: 1,
    modelCalls: 1,
    outputTokens: 100,
    moneyMicros: inputTokens + 200,
  });
});

const counted: readonly [keyof Amounts, number][] = [
  ["rounds", 1],
  ["modelCalls", 1],
  ["toolCalls", 2],
  ["effects", 2],
  ["outputTokens", 100],
  ["turns", 1],
];
test.each(counted)("a cap on %s lets %i through, and not one more", async (unit, needed) => {
  expect(await openAll({ [unit]: needed }).turn()).toMatchObject({ outcome: "completed" });
  const result = await openAll({ [unit]: needed - 1 }).turn();
  if (unit === "turns") expect(result).toMatchObject({ outcome: "denied" });
  else expect(result).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
});

test.each(["inputTokens", "moneyMicros"] as const)(
  "a cap on %s lets the reservation through, and not one less",
  async (unit) => {
    const { [unit]: needed = 0 } = await readReserve();
    expect(await openAll({ [unit]: needed }).turn()).toMatchObject({ outcome: "completed" });
    const run = openAll({ [unit]: needed - 1 });
    expect(await run.turn()).toMatchObject({ reason: "BUDGET_EXCEEDED" });
    expect((await run.contents("turn.closed")).at(-1)?.unit).toBe(unit);
    expect(await run.types()).not.toContain("action.claimed");
  },
);

test("what was not used comes back when it is settled", async () => {
  const run = openAll({});
  await run.turn();
  expect(await run.spending()).toEqual({
    settled: {
      turns: 1,
      rounds: 1,
      modelCalls: 1,
      inputTokens: 3,
      outputTokens: 2,
      moneyMicros: 7,
      toolCalls: 2,
      effects: 2,
    },
    assumed: {},
    open: {},
  });
});

test("a budget in money refuses a model whose price is not known", async () => {
  const unknown = { asOf: "2026-01-01", models: {} };
  for (const fields of [{ prices: unknown }, {}]) {
    const run = openAll({ moneyMicros: 1_000_000_000 }, fields);
    expect(await run.turn()).toMatchObject({ reason: "BUDGET_EXCEEDED" });
    expect((await run.contents("turn.closed")).at(-1)?.unit).toBe("moneyMicros");
    expect(await run.types()).not.toContain("action.claimed");
  }
});

test("without a budget in money an unknown price is no reason to refuse", async () => {
  expect(await openAll({}, {}).turn()).toMatchObject({ outcome: "completed" });
});

test("a request without an output limit is held to the one that is reserved", async () => {
  const model = scriptedModel();
  const run = openRun({ loops: [promptLoop("ask")], model });
  await run.turn();
  expect(model.requests[0]?.maxOutputTokens).toBe(OUTPUT_TOKENS_DEFAULT);
  expect((await run.contents("action.claimed"))[0]).toMatchObject({
    reserve: { outputTokens: OUTPUT_TOKENS_DEFAULT },
  });
});

test("tools and schemas are part of what a request reserves for", async () => {
  const prompt = { template: "Go", variables: [] };
  const reserves: number[] = [];
  for (const tools of [undefined, [{ loopId: "pay" }]]) {
    const run = openRun({
      loops: [
        promptLoop("ask", { prompt: { ...prompt, ...(tools === undefined ? {} : { tools }) } }),
        toolLoop("pay", { description: "x".repeat(1_000) }),
      ],
      tools: { "local.pay": () => ({}) },
    });
    await run.turn();
    const reserve = (await run.contents("action.claimed"))[0]?.reserve as Amounts;
    reserves.push(reserve.inputTokens ?? 0);
  }
  expect((reserves[1] ?? 0) - (reserves[0] ?? 0)).toBeGreaterThan(1_000);
});

test("active time is a deadline: an act is cut off where the budget ends", async () => {
  const run = openRun({
    loops: [toolLoop("look")],
    tools: { "local.look": { effect: "read", run: () => new Promise(() => {}) } },
    budget: { activeMs: 700 },
  });
  const turning = run.turn();
  await settle();
  const [claim] = await run.contents("action.claimed");
  expect(claim?.deadlineAt).toBe(new Date(run.clock.now() + 700 + LOG_WAIT_MS_MAX).toISOString());
  run.clock.advance(700);
  expect(await turning).toMatchObject({ outcome: "timed-out" });
  expect((await run.spending()).settled.activeMs).toBe(700);
});

test("active time that is used up refuses the next act", async () => {
  const run = openRun({
    loops: [toolLoop("look")],
    tools: { "local.look": { effect: "read", run: () => new Promise(() => {}) } },
    budget: { activeMs: 700 },
  });
  const turning = run.turn();
  await settle();
  run.clock.advance(700);
  await turning;
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
  expect((await run.contents("turn.closed")).at(-1)?.unit).toBe("activeMs");
});

test("turns of a run draw from one remainder", async () => {
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: { "local.pay": () => ({}) },
    budget: { effects: 2 },
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
});

test("a claim that is made again takes over its reservation", async () => {
  const run = openRun({
    loops: [toolLoop("put")],
    tools: { "local.put": { effect: "idempotent", run: () => ({}) } },
    budget: { toolCalls: 1, effects: 1 },
    beforeAppend: crashAt(2),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(await run.spending()).toEqual({
    settled: { turns: 1, toolCalls: 1, effects: 1 },
    assumed: {},
    open: {},
  });
});

test.each([
  ["a period", { perPeriod: { day: { moneyMicros: 1_000_000_000 } } }],
  ["one call", { perCall: { moneyMicros: 1_000_000_000 } }],
])("a cap in money on %s refuses a model whose price is not known", async (_, caps) => {
  const run = openRun({
    loops: [promptLoop("ask")],
    model: scriptedModel(["yes"]),
    grant: caps,
  });
  expect(await run.turn()).toMatchObject({ reason: "BUDGET_EXCEEDED" });
  expect((await run.contents("turn.closed")).at(-1)?.unit).toBe("moneyMicros");
});
