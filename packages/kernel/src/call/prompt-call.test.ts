import { type Model, type ModelResult, scriptedModel } from "@turnseal/ports";
import { expect, test } from "vitest";
import { codeOf, openWorld, promptLoop, typesOf } from "./sample-world.test.data.ts";

const say = promptLoop("say", {
  inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
});

test("a prompt loop asks the model once and wraps plain text", async () => {
  const model = scriptedModel(["hello there"]);
  const call = await openWorld({ loops: [say], models: { sample: model } }).call("say", {
    word: "hello",
  });
  expect(call.result).toMatchObject({ status: "ok", output: { text: "hello there" } });
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]).toMatchObject({ messages: [{ role: "user", text: "Say hello" }] });
  expect(typesOf(call)).toEqual([
    "call.started",
    "call.input.validated",
    "call.backend.requested",
    "call.backend.responded",
    "call.output.validated",
    "call.completed",
  ]);
  expect(call.result.trace[2]?.payload).toEqual({
    backendId: "sample",
    model: "scripted",
    promptLength: "Say hello".length,
  });
  expect(call.result.trace[3]?.payload).toMatchObject({ durationMs: 0 });
});

test("a prompt loop passes on its system prompt, its limits and its model", async () => {
  const model = scriptedModel();
  const loop = promptLoop("full", {
    backend: { id: "sample", model: "large" },
    prompt: {
      template: "{{word}}",
      variables: ["word"],
      systemPrompt: "be brief",
      maxTokens: 7,
      temperature: 0,
    },
  });
  await openWorld({ loops: [loop], models: { sample: model } }).call("full", { word: "x" });
  expect(model.requests[0]).toMatchObject({
    model: "large",
    maxOutputTokens: 7,
    temperature: 0,
    messages: [
      { role: "system", text: "be brief" },
      { role: "user", text: "x" },
    ],
  });
});

test("a prompt loop asks for JSON where its output cannot be plain text", async () => {
  const outputSchema = {
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
  };
  const model = scriptedModel(['  {"n": 3}\n', '{"n": "three"}']);
  const world = openWorld({
    loops: [promptLoop("count", { outputSchema })],
    models: { sample: model },
  });
  expect((await world.call("count")).result).toMatchObject({ output: { n: 3 } });
  expect(model.requests[0]?.outputSchema).toEqual(outputSchema);
  expect(codeOf(await world.call("count"))).toBe("OUTPUT_VALIDATION_FAILED");
});

test("a prompt loop asks for no schema where `{ text }` is an output", async () => {
  const outputSchema = { type: "object", properties: { text: { type: "string" } } };
  const model = scriptedModel();
  await openWorld({
    loops: [promptLoop("free", { outputSchema })],
    models: { sample: model },
  }).call("free");
  expect(model.requests[0]).not.toHaveProperty("outputSchema");
});

test("a prompt loop whose backend is bound to no model fails before it asks", async () => {
  const call = await openWorld({ loops: [say] }).call("say", { word: "a" });
  expect(codeOf(call)).toBe("BACKEND_FAILED");
  expect(typesOf(call)).toEqual(["call.started", "call.input.validated", "call.errored"]);
});

test.each([undefined, { id: "mock" }])(
  "a prompt loop with backend %j is answered by the scripted model",
  async (backend) => {
    const { backend: _, ...rest } = say;
    const loop = backend === undefined ? rest : { ...rest, backend };
    const call = await openWorld({ loops: [loop] }).call("say", { word: "hi" });
    expect(call.result).toMatchObject({ output: { text: "scripted answer to: Say hi" } });
    const { id: backendId } = backend ?? { id: "scripted" };
    expect(call.result.trace[2]?.payload).toMatchObject({ backendId });
  },
);

test("what is bound to mock is asked by prompts that name it, and by no others", async () => {
  const { backend: _, ...rest } = say;
  const loops = [
    { ...rest, backend: { id: "mock" } },
    { ...rest, id: "other" },
  ];
  const models = { mock: scriptedModel(["from the mock"]), scripted: scriptedModel(["other"]) };
  const world = openWorld({ loops, models });
  const { result } = await world.call("say", { word: "hi" });
  expect(result).toMatchObject({ output: { text: "from the mock" } });
  expect(result.trace[2]?.payload).toMatchObject({ backendId: "mock" });
  expect((await world.call("other", { word: "hi" })).result).toMatchObject({
    output: { text: "other" },
  });
});

test("a model that fails is BACKEND_FAILED, with its words for the caller only", async () => {
  const model = scriptedModel([{ failure: "quota of canary" }]);
  const call = await openWorld({ loops: [say], models: { sample: model } }).call("say", {
    word: "a",
  });
  expect(call.result).toMatchObject({
    error: { code: "BACKEND_FAILED", reason: "quota of canary" },
  });
  expect(JSON.stringify(call.events.map(({ content }) => content))).not.toContain("canary");
  expect(JSON.stringify(call.result.trace)).not.toContain("canary");
});

const usage = { inputTokens: 1, outputTokens: 1 };
const answer = { content: [], finishReason: "stop", usage } as const;
test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a text", "hello"],
  ["no content", { ...answer, content: undefined }],
  ["content that is no list", { ...answer, content: "hello" }],
  ["a part that is no object", { ...answer, content: ["hello"] }],
  ["a text part without text", { ...answer, content: [{ kind: "text" }] }],
  ["a hostile text", { ...answer, content: [{ kind: "text", text: { toString: throwNow } }] }],
  ["no usage", { ...answer, usage: undefined }],
  ["negative usage", { ...answer, usage: { inputTokens: -1, outputTokens: 0 } }],
  ["usage that is no whole number", { ...answer, usage: { ...usage, outputTokens: 0.5 } }],
  ["an unknown finish reason", { ...answer, finishReason: "constructor" }],
  ["an answer cut off", { ...answer, finishReason: "length" }],
  ["an answer withheld", { ...answer, finishReason: "content-filter" }],
  ["an answer broken off", { ...answer, finishReason: "error" }],
  ["a hostile object", new Proxy({}, { getPrototypeOf: throwNow, get: throwNow })],
  [
    "a tool call",
    { ...answer, content: [{ kind: "tool-call", toolCallId: "a", toolName: "b", input: "{}" }] },
  ],
])("a model that answers with %s is BACKEND_FAILED", async (_, result) => {
  const model: Model = { defaultModel: "odd", generate: async () => result as ModelResult };
  const call = await openWorld({ loops: [say], models: { sample: model } }).call("say", {
    word: "a",
  });
  expect(codeOf(call)).toBe("BACKEND_FAILED");
});

test("the same loop runs on another model by one line of the operator", async () => {
  for (const reply of ["one", "two"]) {
    const world = openWorld({ loops: [say], models: { sample: scriptedModel([reply]) } });
    expect((await world.call("say", { word: "a" })).result).toMatchObject({
      output: { text: reply },
    });
  }
});

function throwNow(): never {
  throw new Error("hostile");
}
