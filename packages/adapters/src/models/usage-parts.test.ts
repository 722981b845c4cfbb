// The counts of each provider, over real HTTP. Some include cached tokens in their total, some do
// not.
import { expect, test } from "vitest";
import { type Provider, WIRES } from "./provider-wires.test.data.ts";
import { startScriptedServer } from "./scripted-server.test.data.ts";

const chatUsage = {
  prompt_tokens: 100,
  prompt_tokens_details: { cached_tokens: 60 },
  completion_tokens: 9,
  completion_tokens_details: { reasoning_tokens: 5 },
};
const read = { inputTokens: 100, cacheReadTokens: 60 };
const written = { outputTokens: 9, reasoningTokens: 5 };

test.each<[Provider, object, object]>([
  [
    "openai",
    {
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60 },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 5 },
      },
    },
    { ...read, ...written },
  ],
  ["openai-chat", { usage: chatUsage }, { ...read, ...written }],
  ["openai-compatible", { usage: chatUsage }, { ...read, ...written }],
  [
    "anthropic",
    {
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 30,
        output_tokens: 9,
      },
    },
    { ...read, cacheWriteTokens: 30, outputTokens: 9 },
  ],
  [
    "google",
    {
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 5,
      },
    },
    { ...read, ...written },
  ],
])("%s counts each token once", async (provider, counted, usage) => {
  const { bind, whole } = WIRES[provider];
  const server = await startScriptedServer((response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...whole, ...counted }));
  });
  const model = bind(server.url);
  const { signal } = new AbortController();
  const messages = [{ role: "user", text: "say hello" }] as const;
  const answer = await model.generate({ model: model.defaultModel, messages, signal });
  server.stop();
  expect(answer.usage).toEqual(usage);
});
