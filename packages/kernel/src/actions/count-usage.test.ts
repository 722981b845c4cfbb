import { type ModelUsage, scriptedModel } from "@turnseal/ports";
import { expect, test } from "vitest";
import { promptLoop } from "../call/sample-world.test.data.ts";
import { openRun } from "../turn/sample-run.test.data.ts";

const prices = {
  asOf: "2026-01-01",
  models: { "sample/scripted": { inputMicrosPerMillion: 1e6, outputMicrosPerMillion: 1e6 } },
};

async function ask(usage: ModelUsage, text = "yes") {
  const content = text === "" ? [] : [{ kind: "text", text } as const];
  const replies = [{ content, usage }, "yes"];
  const prompt = { template: "Go", variables: [], maxTokens: 50 };
  const loops = [promptLoop("ask", { prompt })];
  const run = openRun({ loops, model: scriptedModel(replies), prices });
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
