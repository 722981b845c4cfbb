import { getEventListeners } from "node:events";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { LLMock } from "@copilotkit/aimock";
import type { ModelDelta, ModelRequest } from "@turnseal/ports";
import { modelContract } from "@turnseal/ports/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aiSdkLanguageModel, aiSdkModel } from "./ai-sdk-model.ts";

const servers: LLMock[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function startServer(): Promise<LLMock> {
  const server = await LLMock.create({ port: 0 });
  servers.push(server);
  return server;
}

function bindModel(server: LLMock) {
  const provider = createOpenAICompatible({
    name: "local",
    baseURL: `${server.url}/v1`,
    apiKey: "key-of-the-test",
    supportsStructuredOutputs: true,
  });
  return aiSdkModel(provider, { defaultModel: "small" });
}

function ask(request: Partial<ModelRequest> = {}): ModelRequest {
  const messages = [{ role: "user", text: "say hello" }] as const;
  return { model: "small", messages, signal: new AbortController().signal, ...request };
}

describe("the model contract, over HTTP", () => {
  const cases = modelContract({
    create: async () => {
      const server = await startServer();
      return {
        model: bindModel(server),
        answerWith: (text) => void server.onMessage(/.*/, { content: text }),
        failOnce: () => void server.nextRequestError(500),
        stall: () => void server.onMessage(/.*/, () => Promise.withResolvers<never>().promise),
        requestCount: () => server.getRequests().length,
        canStream: true,
      };
    },
  });
  for (const { name, run } of cases) test(name, run);
});

describe("an AI SDK provider as a model", () => {
  let server: LLMock;
  beforeEach(async () => {
    server = await startServer();
  });

  test("sends the prompt, the limits and the name of the model in one request", async () => {
    server.onMessage(/.*/, { content: "hello" });
    await bindModel(server).generate(
      ask({
        model: "large",
        messages: [
          { role: "system", text: "be brief" },
          { role: "user", text: "say hello" },
        ],
        maxOutputTokens: 12,
        temperature: 0.5,
      }),
    );
    expect(server.getRequests()).toHaveLength(1);
    expect(server.getLastRequest()?.body).toMatchObject({
      model: "large",
      max_tokens: 12,
      temperature: 0.5,
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: "say hello" },
      ],
    });
  });

  test("reports the usage and the name that the server gives", async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    server.onMessage(/.*/, { content: "hello", usage, model: "small-2026" });
    expect(await bindModel(server).generate(ask())).toEqual({
      content: [{ kind: "text", text: "hello" }],
      finishReason: "stop",
      usage: { inputTokens: 7, outputTokens: 3 },
      answeredBy: "small-2026",
    });
  });

  test("asks for JSON of the given schema, and not in the strict mode", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    server.onMessage(/.*/, { content: '{"city":"Oslo"}' });
    const { content } = await bindModel(server).generate(ask({ outputSchema: schema }));
    expect(content).toEqual([{ kind: "text", text: '{"city":"Oslo"}' }]);
    expect(server.getLastRequest()?.body).toMatchObject({
      response_format: { type: "json_schema", json_schema: { schema, strict: false } },
    });
  });

  test("does not reach the server when the signal is aborted already", async () => {
    server.onMessage(/.*/, { content: "never seen" });
    const answer = bindModel(server).generate(ask({ signal: AbortSignal.abort() }));
    await expect(answer).rejects.toMatchObject({ code: "MODEL_ABORTED", retry: "never" });
    expect(server.getRequests()).toHaveLength(0);
  });
});

test("a tool call is handed on as the model wrote it, and its result taken back", async () => {
  const server = await startServer();
  const calls = [{ id: "call_1", name: "get_weather", arguments: '{ "city":"Oslo" }' }];
  server.on({ userMessage: /weather/, hasToolResult: false }, { toolCalls: calls });
  server.on({ userMessage: /weather/, hasToolResult: true }, { content: "sunny" });
  const model = bindModel(server);
  const question = { role: "user", text: "weather in Oslo?" } as const;
  const inputSchema = { type: "object", properties: { city: { type: "string" } } };
  const tools = [{ name: "get_weather", description: "by city", inputSchema }];

  const first = await model.generate(ask({ messages: [question], tools }));
  expect(first.finishReason).toBe("tool-calls");
  expect(first.content).toEqual([
    {
      kind: "tool-call",
      toolCallId: "call_1",
      toolName: "get_weather",
      input: '{ "city":"Oslo" }',
    },
  ]);
  expect(server.getLastRequest()?.body).toMatchObject({
    tools: [{ type: "function", function: { name: "get_weather", parameters: inputSchema } }],
  });

  const second = await model.generate(
    ask({
      tools,
      messages: [
        question,
        { role: "assistant", content: first.content },
        { role: "tool", toolCallId: "call_1", toolName: "get_weather", result: { sky: "clear" } },
      ],
    }),
  );
  expect(second.content).toEqual([{ kind: "text", text: "sunny" }]);
  expect(server.getRequests()).toHaveLength(2);
  expect(server.getLastRequest()?.body).toMatchObject({
    messages: [
      { role: "user" },
      {
        role: "assistant",
        tool_calls: [{ id: "call_1", function: { arguments: '{"city":"Oslo"}' } }],
      },
      { role: "tool", tool_call_id: "call_1", content: '{"sky":"clear"}' },
    ],
  });
});

describe("a single language model", () => {
  test("answers to its own name", async () => {
    const model = aiSdkLanguageModel(languageModel());
    expect(model.defaultModel).toBe("only");
    const { content } = await model.generate(ask({ model: "only" }));
    expect(content).toEqual([{ kind: "text", text: "hello" }]);
  });

  test("is not found under another name", async () => {
    const answer = aiSdkLanguageModel(languageModel()).generate(ask({ model: "other" }));
    await expect(answer).rejects.toMatchObject({ code: "MODEL_NOT_FOUND", retry: "never" });
  });

  test("streams when somebody watches, and only then", async () => {
    const asked: string[] = [];
    const languages = languageModel(async () => {
      asked.push("doGenerate");
      return helloAnswer;
    });
    languages.doStream = async () => {
      asked.push("doStream");
      return { stream: ReadableStream.from(helloStream) };
    };
    const model = aiSdkLanguageModel(languages);
    const pieces: string[] = [];
    const onDelta = ({ text }: ModelDelta) => void pieces.push(text);
    const told = await model.generate(ask({ model: "only", onDelta }));
    expect([asked.splice(0), pieces]).toEqual([["doStream"], ["hel", "lo"]]);
    expect(await model.generate(ask({ model: "only" }))).toEqual(told);
    expect([asked, pieces]).toEqual([["doGenerate"], ["hel", "lo"]]);
  });

  test("is refused when it implements another version of the interface", async () => {
    const older = Object.assign(languageModel(), { specificationVersion: "v3" });
    const answer = aiSdkLanguageModel(older).generate(ask({ model: "only" }));
    await expect(answer).rejects.toMatchObject({ code: "MODEL_REFUSED", retry: "never" });
  });

  test("does not hold up an abort by ignoring its signal", async () => {
    const silent = languageModel(() => Promise.withResolvers<never>().promise);
    const controller = new AbortController();
    const answer = aiSdkLanguageModel(silent).generate(
      ask({ model: "only", signal: controller.signal }),
    );
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: "MODEL_ABORTED", retry: "never" });
  });

  test("is not asked when the signal is aborted already, whether it listens or not", async () => {
    let askedCount = 0;
    const deaf = languageModel(async () => {
      askedCount += 1;
      return helloAnswer;
    });
    const answer = aiSdkLanguageModel(deaf).generate(
      ask({ model: "only", signal: AbortSignal.abort() }),
    );
    await expect(answer).rejects.toMatchObject({ code: "MODEL_ABORTED", retry: "never" });
    expect(askedCount).toBe(0);
  });

  test("gets the signal of the request, and nothing listens to it afterwards", async () => {
    const seen: LanguageModelV4CallOptions[] = [];
    const recording = languageModel(async (options) => {
      seen.push(options);
      return helloAnswer;
    });
    const { signal } = new AbortController();
    await aiSdkLanguageModel(recording).generate(ask({ model: "only", signal, tools: [] }));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.abortSignal).toBe(signal);
    expect(seen[0]).not.toHaveProperty("tools");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

const helloAnswer: Awaited<ReturnType<LanguageModelV4["doGenerate"]>> = {
  content: [{ type: "text", text: "hello" }],
  finishReason: { unified: "stop", raw: "stop" },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
};

const helloStream: LanguageModelV4StreamPart[] = [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "hel" },
  { type: "text-delta", id: "1", delta: "lo" },
  { type: "text-end", id: "1" },
  { type: "finish", finishReason: helloAnswer.finishReason, usage: helloAnswer.usage },
];

function languageModel(
  doGenerate: LanguageModelV4["doGenerate"] = async () => helloAnswer,
): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "in-memory",
    modelId: "only",
    supportedUrls: {},
    doGenerate,
    doStream: () => Promise.reject(new Error("nobody watches")),
  };
}

test("the tokens of a request are those that whoever binds the model says", () => {
  const provider = {
    languageModel: () => {
      throw new Error("not asked");
    },
  };
  const read = (contextTokens: number | Record<string, number>, name: string) =>
    aiSdkModel(provider, { defaultModel: "a", contextTokens }).contextTokens?.(name);
  expect(read(1_000, "a")).toBe(1_000);
  expect(read({ a: 2_000 }, "a")).toBe(2_000);
  expect(read({ a: 2_000 }, "b")).toBeUndefined();
  expect(read({ a: 2_000 }, "constructor")).toBeUndefined();
  expect(aiSdkModel(provider, { defaultModel: "a" }).contextTokens).toBeUndefined();
});
