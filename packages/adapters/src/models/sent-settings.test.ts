// Each provider package's request for the settings, over real HTTP.
import type { ModelRequest } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { type Provider, WIRES } from "./provider-wires.test.data.ts";
import { startScriptedServer } from "./scripted-server.test.data.ts";

/** Asks once and answers with the body that reached the server. */
async function send(provider: Provider, fields: Partial<ModelRequest>): Promise<JsonObject> {
  const wire = WIRES[provider];
  const server = await startScriptedServer((response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(wire.whole));
  });
  try {
    const model = wire.bind(server.url);
    const { signal } = new AbortController();
    const messages = [{ role: "user", text: "say hello" }] as const;
    await model.generate({ model: model.defaultModel, messages, signal, ...fields });
    expect(server.bodies).toHaveLength(1);
    return JSON.parse(server.bodies[0] ?? "") as JsonObject;
  } finally {
    server.stop();
  }
}

const tools = ["look", "pay"].map((name) => ({ name, inputSchema: { type: "object" } }));

test.each<[Provider, JsonObject, model?: string]>([
  ["openai", { top_p: 0.5 }],
  ["openai-chat", { top_p: 0.5, stop: ["END"], seed: 7 }],
  ["openai-compatible", { top_p: 0.5, stop: ["END"], seed: 7 }],
  ["anthropic", { top_p: 0.5, stop_sequences: ["END"] }, "claude-sonnet-4-5"],
  ["google", { generationConfig: { topP: 0.5, stopSequences: ["END"], seed: 7 } }],
])("%s is sent how words are chosen and where to stop", async (provider, body, model) => {
  const settings = { topP: 0.5, stop: ["END"], seed: 7, ...(model !== undefined && { model }) };
  expect(await send(provider, settings)).toMatchObject(body);
});

test.each<[Provider, JsonObject, JsonObject]>([
  ["openai", { tool_choice: "required" }, { tool_choice: { type: "function", name: "pay" } }],
  [
    "openai-chat",
    { tool_choice: "required" },
    { tool_choice: { type: "function", function: { name: "pay" } } },
  ],
  [
    "openai-compatible",
    { tool_choice: "required" },
    { tool_choice: { type: "function", function: { name: "pay" } } },
  ],
  ["anthropic", { tool_choice: { type: "any" } }, { tool_choice: { type: "tool", name: "pay" } }],
  [
    "google",
    { toolConfig: { functionCallingConfig: { mode: "ANY" } } },
    { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["pay"] } } },
  ],
])("%s is sent which tool must be asked for", async (provider, required, named) => {
  expect(await send(provider, { tools, toolChoice: "required" })).toMatchObject(required);
  expect(await send(provider, { tools, toolChoice: { tool: "pay" } })).toMatchObject(named);
});

test.each<[Provider, string, JsonObject, JsonObject]>([
  [
    "openai",
    "gpt-5.4-mini",
    { reasoning: { effort: "high" }, max_output_tokens: 5_000 },
    { reasoning: { effort: "low" }, max_output_tokens: 5_000 },
  ],
  [
    "openai-compatible",
    "small",
    { reasoning_effort: "high", max_tokens: 5_000 },
    { reasoning_effort: "low", max_tokens: 5_000 },
  ],
  [
    "anthropic",
    "claude-sonnet-4-5",
    { thinking: { type: "enabled", budget_tokens: 38_400 }, max_tokens: 43_400 },
    { thinking: { type: "enabled", budget_tokens: 2_000 }, max_tokens: 7_000 },
  ],
  [
    "google",
    "gemini-2.5-flash",
    { generationConfig: { maxOutputTokens: 5_000 } },
    { generationConfig: { maxOutputTokens: 5_000, thinkingConfig: { thinkingBudget: 2_000 } } },
  ],
])("%s is sent how much its model may think, within what is reserved", async (...given) => {
  const [provider, model, byEffort, byBudget] = given;
  const asked = { model, maxOutputTokens: 5_000 };
  expect(await send(provider, { ...asked, reasoning: { effort: "high" } })).toMatchObject(byEffort);
  const reasoning = { budgetTokens: 2_000 };
  expect(await send(provider, { ...asked, reasoning })).toMatchObject(byBudget);
});

test("a model of OpenAI that thinks is asked for its thoughts, since nothing is kept", async () => {
  const providerOptions = { openai: { include: ["message.output_text.logprobs"], store: true } };
  const body = await send("openai", { model: "gpt-5.4-mini", providerOptions });
  expect(body["store"]).toBe(false);
  expect(body["include"]).toContain("reasoning.encrypted_content");
});

test.each<[Provider, Record<string, JsonObject>, JsonObject]>([
  ["openai", { openai: { promptCacheKey: "greet" } }, { prompt_cache_key: "greet", store: false }],
  ["openai-chat", { openai: { user: "ada" } }, { user: "ada", store: false }],
  [
    "anthropic",
    { anthropic: { cacheControl: { type: "ephemeral" } } },
    { cache_control: { type: "ephemeral" } },
  ],
  ["google", { google: { labels: { team: "docs" } } }, { labels: { team: "docs" } }],
  ["openai-compatible", { local: { min_p: 0.1 } }, { min_p: 0.1 }],
])("%s is sent the options that are its own", async (provider, providerOptions, body) => {
  const others = { somebody: { else: "entirely" } };
  const sent = await send(provider, { providerOptions: { ...others, ...providerOptions } });
  expect(sent).toMatchObject(body);
  expect(JSON.stringify(sent)).not.toContain("entirely");
});
