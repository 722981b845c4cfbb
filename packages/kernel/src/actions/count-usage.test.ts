import { type ModelUsage, scriptedModel } from "@turnseal/ports";
import type { ModelPrice } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop } from "../call/sample-world.test.data.ts";
import { openRun } from "../turn/sample-run.test.data.ts";

const asOf = "2026-01-01";
const plain = { inputMicrosPerMillion: 1e6, outputMicrosPerMillion: 1e6 };

async function ask(usage: ModelUsage, text = "yes", price: Partial<ModelPrice> = {}) {
  const content = text === "" ? [] : [{ kind: "text", text } as const];
  const replies = [{ content, usage }, "yes"];
  const prompt = { template: "Go", variables: [], maxTokens: 50 };
  const loops = [promptLoop("ask", { prompt })];
  const models = { "sample/scripted": { ...plain, ...price } };
  const run = openRun({ loops, model: scriptedModel(replies), prices: { asOf, models } });
  await run.turn();
  const [claimed] = await run.contents("action.claimed");
  const [settled] = await run.contents("action.settled");
  const reserve = claimed?.reserve ?? {};
  const spent = settled?.spent ?? {};
  return { settled, reserve, spent };
}

test("what the provider counted is what is counted", async () => {
  const { settled, spent } = await ask({ inputTokens: 7, outputTokens: 3 });
  expect(settled).toMatchObject({ inputTokens: 7, outputTokens: 3 });
  expect(settled).not.toHaveProperty("usage");
  expect(spent).toMatchObject({ inputTokens: 7, outputTokens: 3, moneyMicros: 10 });
});

test("what a cache held is read once, and paid by its own price", async () => {
  const usage = { inputTokens: 1_000, outputTokens: 50, cacheReadTokens: 900, reasoningTokens: 40 };
  const { settled, spent } = await ask(usage, "yes", {
    ...{ cacheReadMicrosPerMillion: 1e5, reasoningMicrosPerMillion: 2e6 },
  });
  expect(settled).toMatchObject(usage);
  expect(settled).not.toHaveProperty("cacheWriteTokens");
  expect(spent).toMatchObject({ inputTokens: 1_000, outputTokens: 50 });
  expect(spent["moneyMicros"]).toBe(100 + 90 + 10 + 80);
});

test("parts that are more than their whole are not believed", async () => {
  const parts = { cacheReadTokens: 5, cacheWriteTokens: 3, reasoningTokens: 4 };
  const { settled, spent } = await ask({ inputTokens: 7, outputTokens: 3, ...parts }, "yes", {
    cacheReadMicrosPerMillion: 0,
  });
  for (const part of Object.keys(parts)) expect(settled).not.toHaveProperty(part);
  expect(spent["moneyMicros"]).toBe(10);
});

test("what is reserved, and a count that is unknown, is the dearest that it can be", async () => {
  const { reserve, spent } = await ask({ outputTokens: 3, cacheReadTokens: 1 }, "yes", {
    ...{ cacheReadMicrosPerMillion: 0, cacheWriteMicrosPerMillion: 2e6 },
  });
  const { inputTokens = 0 } = reserve;
  expect(reserve["moneyMicros"]).toBe(2 * inputTokens + 50);
  expect(spent["moneyMicros"]).toBe(2 * inputTokens + 3);
});

test("a usage that is missing counts as all that was reserved, and says so", async () => {
  const { settled, reserve, spent } = await ask({});
  expect(settled).toMatchObject({ usage: "missing" });
  expect(settled).not.toHaveProperty("inputTokens");
  expect(settled).not.toHaveProperty("outputTokens");
  expect(spent).toEqual(reserve);
  expect(spent["outputTokens"]).toBe(50);
  expect(spent["moneyMicros"]).toBeGreaterThan(50);
});

test.each<[string, ModelUsage, string, "inputTokens" | "outputTokens"]>([
  ["no input", { outputTokens: 3 }, "missing", "inputTokens"],
  ["no output", { inputTokens: 7 }, "missing", "outputTokens"],
  ["an input of zero", { inputTokens: 0, outputTokens: 3 }, "zero", "inputTokens"],
  ["an output of zero", { inputTokens: 7, outputTokens: 0 }, "zero", "outputTokens"],
])("%s is unknown, and counts as what was reserved of it", async (_, usage, gap, unknown) => {
  const { settled, reserve, spent } = await ask(usage);
  const known = unknown === "inputTokens" ? "outputTokens" : "inputTokens";
  expect(settled?.usage).toBe(gap);
  expect(spent[unknown]).toBe(reserve[unknown]);
  expect(spent[known]).toBe(usage[known]);
});

test("an output of zero is believed where nothing came", async () => {
  const { settled, spent } = await ask({ inputTokens: 7, outputTokens: 0 }, "");
  expect(settled).not.toHaveProperty("usage");
  expect(spent).toMatchObject({ inputTokens: 7 });
  expect(spent["outputTokens"] ?? 0).toBe(0);
});
