// A run whose prompt has settings for its model's answer, over HTTP: the request at the server, and
// the cost in the log.
import { createLocalHost } from "@turnseal/host";
import { createMemorySigner, memoryStores, systemClock } from "@turnseal/ports";
import { isSettledOf, type JsonObject } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { WIRES } from "./provider-wires.test.data.ts";
import { startScriptedServer } from "./scripted-server.test.data.ts";

const look = defineTool({
  ...{ id: "look", version: "1.0.0", effect: "read" },
  input: jsonSchema<object>({ type: "object" }),
  output: jsonSchema<object>({ type: "object" }),
  run: () => ({ sky: "clear" }),
});
const ask = definePrompt({
  ...{ id: "ask", version: "1.0.0", template: "How is the sky?" },
  input: jsonSchema<object>({ type: "object" }),
  output: jsonSchema<object>({ type: "object" }),
  backend: { id: "provider", model: "gpt-5.4-mini" },
  maxTokens: 100,
  tools: [look],
  toolChoice: look,
  reasoning: { effort: "low" },
  providerOptions: { openai: { promptCacheKey: "sky", textVerbosity: "low" } },
});
const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" };
const asked = { type: "function_call", id: "fc_1", call_id: "call_1", name: "local__look" };
const asking = {
  ...WIRES.openai.whole,
  output: [thought, { ...asked, arguments: "{}", status: "completed" }],
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 80 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
  },
};
const price = {
  ...{ inputMicrosPerMillion: 1e6, cacheReadMicrosPerMillion: 1e5 },
  ...{ outputMicrosPerMillion: 2e6 },
};

test("settings reach the provider, and a tool must be asked for in one round only", async () => {
  const server = await startScriptedServer((response) => {
    const answer = server.requestCount() === 1 ? asking : WIRES.openai.whole;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });
  const stores = memoryStores(systemClock);
  const host = createLocalHost({
    ...{ loops: [ask, look], stores, signer: await createMemorySigner() },
    models: { provider: WIRES.openai.bind(server.url) },
    prices: { asOf: "2026-01-01", models: { "provider/gpt-5.4-mini": price } },
  });
  const grant = { grantor: "ada", tools: ["local.look"], budget: { moneyMicros: 1_000_000 } };
  const run = await host.start(ask, {}, { grant });
  await host.drive(run);
  server.stop();

  const [first, second, ...more] = server.bodies.map((body) => JSON.parse(body) as JsonObject);
  expect(more).toEqual([]);
  const settings = {
    ...{ store: false, max_output_tokens: 100, prompt_cache_key: "sky" },
    ...{ reasoning: { effort: "low" }, text: { verbosity: "low" } },
    include: ["reasoning.encrypted_content"],
  };
  expect(first).toMatchObject({
    ...settings,
    tool_choice: { type: "function", name: "local__look" },
  });
  expect(second).toMatchObject(settings);
  expect(["auto", undefined]).toContain(second?.["tool_choice"]);
  expect(JSON.stringify(second?.["input"])).toContain('"encrypted_content":"sealed"');

  const settled = (await stores.log.read(run, 1)).filter((event) => isSettledOf("model", event));
  expect(settled.map(({ content }) => content)).toMatchObject([
    {
      ...{ inputTokens: 100, cacheReadTokens: 80, outputTokens: 20, reasoningTokens: 5 },
      // 20 read again and 80 from the cache; thoughts cost as much as output.
      spent: { inputTokens: 100, outputTokens: 20, moneyMicros: 20 + 8 + 40 },
    },
    { inputTokens: 9, outputTokens: 4, spent: { moneyMicros: 9 + 8 } },
  ]);
});
