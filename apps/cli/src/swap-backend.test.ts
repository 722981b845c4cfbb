import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import { aiSdkModel } from "@turnseal/adapters/models";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createRuntime, definePrompt, type Model, scriptedModel } from "./public/index.ts";
import { manualClock, seededIds } from "./public/testing.ts";

const capital = definePrompt({
  id: "capital",
  version: "1.0.0",
  input: z.object({ country: z.string() }),
  output: z.object({ city: z.string() }),
  template: "What is the capital of {{country}}?",
  backend: { id: "assistant", model: "small" },
});

const USAGE = { inputTokens: 9, outputTokens: 4 };

let server: LLMock;
beforeAll(async () => {
  server = await LLMock.create({ port: 0 });
  const { inputTokens, outputTokens } = USAGE;
  server.onMessage("What is the capital of Norway?", {
    content: '{"city":"Oslo"}',
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: 13 },
  });
});
afterAll(() => server.stop());

function httpModel(): Model {
  const provider = createOpenAICompatible({
    name: "local",
    baseURL: `${server.url}/v1`,
    apiKey: "key-of-the-test",
    supportsStructuredOutputs: true,
  });
  return aiSdkModel(provider, { defaultModel: "small" });
}

function callCapital(models: Record<string, Model>) {
  const runtime = createRuntime({
    loops: [capital],
    models,
    clock: manualClock(),
    ids: seededIds("swap"),
  });
  return runtime.call(capital, { country: "Norway" });
}

test("a loop gives the same result and trace with a scripted model and over HTTP", async () => {
  const scripted = await callCapital({
    assistant: scriptedModel([{ json: { city: "Oslo" }, usage: USAGE }]),
  });
  const overHttp = await callCapital({ assistant: httpModel() });

  expect(overHttp).toMatchObject({ status: "ok", output: { city: "Oslo" } });
  expect(overHttp).toEqual(scripted);
  expect(server.getRequests()).toHaveLength(1);
});

test("a server that refuses the key fails the call without repeating prompt or key", async () => {
  server.clearRequests();
  server.nextRequestError(401, { message: "key-of-the-test is wrong" });
  const result = await callCapital({ assistant: httpModel() });

  expect(result).toMatchObject({ status: "error", error: { code: "BACKEND_FAILED" } });
  expect(server.getRequests()).toHaveLength(1);
  expect(JSON.stringify(result)).not.toContain("key-of-the-test");
  expect(JSON.stringify(result)).not.toContain("capital of Norway");
});
