import { describe, expect, test } from "vitest";
import type { Model, ModelRequest } from "./model.ts";
import { modelContract } from "./model-contract.ts";
import { MODEL_ERROR_CODES, ModelError } from "./model-error.ts";
import { type ScriptedReply, scriptedModel } from "./scripted-model.ts";

function scriptable() {
  const replies: ScriptedReply[] = [];
  const model = scriptedModel(replies);
  return {
    model,
    answerWith: (text: string) => void replies.push(text),
    failOnce: () => void replies.push({ failure: "busy" }),
    stall: () => void replies.push({ silence: true }),
    requestCount: () => model.requests.length,
  };
}

describe("the scripted model keeps the contract", () => {
  for (const { name, run } of modelContract({ create: scriptable })) test(name, run);
});

describe("the contract finds a model that does not keep it", () => {
  const retrying = (model: Model): Model => ({
    ...model,
    generate: async (request) => {
      try {
        return await model.generate(request);
      } catch {
        return model.generate(request);
      }
    },
  });
  const changing =
    (change: object) =>
    (model: Model): Model => ({
      ...model,
      generate: async (request) => ({ ...(await model.generate(request)), ...change }),
    });
  const deaf = (model: Model): Model => ({
    ...model,
    generate: (request) => model.generate({ ...request, signal: new AbortController().signal }),
  });
  const broken: Record<string, (model: Model) => Model> = {
    "answers with the provider's text and a known finish reason": changing({ finishReason: "" }),
    "reports usage as safe integers of at least zero": changing({ usage: { inputTokens: -1 } }),
    "makes one request and reports its failure as a ModelError": retrying,
    "does not ask the provider when the signal is aborted already": deaf,
  };

  test.each(Object.entries(broken))("%s", async (name, breakModel) => {
    const contract = modelContract({
      create: () => {
        const subject = scriptable();
        return { ...subject, model: breakModel(subject.model) };
      },
    });
    await expect(contract.find((found) => found.name === name)?.run()).rejects.toThrow();
  });
});

const ask = (model: Model, request: Partial<ModelRequest> = {}) =>
  model.generate({
    model: "scripted",
    messages: [
      { role: "system", text: "be brief" },
      { role: "user", text: "first" },
      { role: "user", text: "second" },
    ],
    signal: new AbortController().signal,
    ...request,
  });

test("it gives its replies in order and then echoes the last prompt", async () => {
  const model = scriptedModel(["one", { text: "two" }, { json: { three: 3 } }]);
  const texts: unknown[] = [];
  for (let count = 0; count < 4; count++) texts.push((await ask(model)).content);
  expect(texts).toEqual(
    ["one", "two", '{"three":3}', "scripted answer to: second"].map((text) => [
      { kind: "text", text },
    ]),
  );
});

test("without a reply it answers by the schema that it is asked for", async () => {
  const outputSchema = {
    type: "object",
    properties: { city: { type: "string" }, size: { type: "integer", minimum: 3 }, note: {} },
    required: ["city", "size"],
  };
  const { content } = await ask(scriptedModel(), { outputSchema });
  expect(content).toEqual([{ kind: "text", text: '{"city":"text","size":3}' }]);
});

test("tool calls are answered with their arguments as text", async () => {
  const model = scriptedModel([{ toolCalls: [{ tool: "local.add", input: { left: 1 } }] }]);
  const { content, finishReason } = await ask(model);
  expect(finishReason).toBe("tool-calls");
  expect(content).toEqual([
    { kind: "tool-call", toolCallId: "call-0", toolName: "local.add", input: '{"left":1}' },
  ]);
});

test("usage is estimated from both sides, unless the reply says it", async () => {
  const usage = { inputTokens: 7, outputTokens: 8 };
  const model = scriptedModel([{ text: "hi", usage }, "hi"]);
  expect((await ask(model)).usage).toEqual(usage);
  const estimated = (await ask(model)).usage;
  expect(estimated.inputTokens).toBeGreaterThan(0);
  expect(estimated.outputTokens).toBeGreaterThan(0);
});

test("a scripted failure is a ModelError that may be retried by whoever asked", async () => {
  const failure = ask(scriptedModel([{ failure: "the provider is busy" }]));
  await expect(failure).rejects.toMatchObject({
    name: "ModelError",
    code: "MODEL_UNREACHABLE",
    retry: "retry",
    message: "the provider is busy",
  });
});

test("every code of a model error can be carried by one", () => {
  for (const code of MODEL_ERROR_CODES) {
    const error = new ModelError({ code, retry: "never", message: "no" });
    expect([error.code, error.name]).toEqual([code, "ModelError"]);
  }
});

test("it remembers every request, also one that failed", async () => {
  const model = scriptedModel([{ failure: "busy" }]);
  await expect(ask(model)).rejects.toThrow();
  await ask(model, { temperature: 0.5 });
  expect(model.requests.map(({ temperature }) => temperature)).toEqual([undefined, 0.5]);
});
