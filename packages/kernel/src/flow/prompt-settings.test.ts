import { type ModelRequest, scriptedModel } from "@turnseal/ports";
import type { PromptSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { codeOf, openWorld, promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { openRun } from "../turn/sample-run.test.data.ts";

const look = { toolCalls: [{ tool: "local__look", input: {} }] };

async function callWith(settings: Partial<PromptSpec>, replies: Parameters<typeof scriptedModel>) {
  const model = scriptedModel(...replies);
  const prompt = { template: "Go", variables: [], ...settings };
  const loops = [toolLoop("look"), promptLoop("ask", { prompt })];
  const world = openWorld({ loops, models: { sample: model }, tools: { look: () => ({}) } });
  const call = await world.call("ask");
  return { requests: model.requests, code: codeOf(call) };
}

test("a request has every setting of its prompt, and nothing where there is none", async () => {
  const settings = {
    ...{ topP: 0.5, stop: ["END"], seed: 7 },
    reasoning: { effort: "high" },
    providerOptions: { openai: { textVerbosity: "low" } },
  } as const;
  const { requests } = await callWith(settings, [["done"]]);
  expect(requests[0]).toMatchObject(settings);
  const plain = await callWith({}, [["done"]]);
  expect(Object.keys(plain.requests[0] ?? {}).sort()).toEqual([
    ...["maxOutputTokens", "messages", "model", "signal"],
  ]);
});

test.each<[string, PromptSpec["toolChoice"], readonly unknown[]]>([
  ["a tool must be asked for", "required", ["required", undefined]],
  ["one tool must be asked for", { loopId: "look" }, [{ tool: "local__look" }, undefined]],
  ["a tool may be asked for", "auto", ["auto", "auto"]],
])("that %s holds in the first round only where it must", async (_, toolChoice, expected) => {
  const settings = { tools: [{ loopId: "look" }], ...(toolChoice && { toolChoice }) };
  const { requests, code } = await callWith(settings, [[look, "done"]]);
  expect(requests.map((request: ModelRequest) => request.toolChoice)).toEqual(expected);
  expect(code).toBeUndefined();
});

test("a model that must not ask for tools, and does, has not answered", async () => {
  const settings = { tools: [{ loopId: "look" }], toolChoice: "none" } as const;
  const { requests, code } = await callWith(settings, [[look, "done"]]);
  expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["none"]);
  expect(code).toBe("BACKEND_FAILED");
});

async function claimOf(settings: Partial<PromptSpec>) {
  const prompt = { template: "Go", variables: [], ...settings };
  const run = openRun({ loops: [promptLoop("ask", { prompt })], model: scriptedModel(["done"]) });
  await run.turn();
  const [claim] = await run.contents("action.claimed");
  return claim;
}

test.each<Partial<PromptSpec>>([
  { topP: 0.5 },
  { stop: ["END"] },
  { seed: 7 },
  { reasoning: { effort: "low" } },
  { providerOptions: { openai: { textVerbosity: "low" } } },
])("the digest of a claim covers %j", async (settings) => {
  const [plain, given] = [await claimOf({}), await claimOf(settings)];
  expect(given?.digest).toMatch(/^hmac-sha256:/);
  expect(given?.digest).not.toBe(plain?.digest);
});

test("thoughts are reserved beside the limit of the output", async () => {
  const reservedOf = async (settings: Partial<PromptSpec>) =>
    (await claimOf({ maxTokens: 100, ...settings }))?.reserve.outputTokens;
  expect(await reservedOf({})).toBe(100);
  expect(await reservedOf({ reasoning: { budgetTokens: 2_000 } })).toBe(2_100);
  expect(await reservedOf({ reasoning: { effort: "none" } })).toBe(100);
  expect(await reservedOf({ reasoning: { effort: "high" } })).toBe(38_500);
});
