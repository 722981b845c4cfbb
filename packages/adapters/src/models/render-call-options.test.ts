import type { ModelRequest } from "@turnseal/ports";
import type { ModelMessage } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { renderCallOptions } from "./render-call-options.ts";

function render(fields: Partial<ModelRequest>) {
  const { signal } = new AbortController();
  return renderCallOptions({ model: "small", messages: [], signal, ...fields });
}

test("says only what the request says", () => {
  expect(Object.keys(render({})).sort()).toEqual(["abortSignal", "prompt", "providerOptions"]);
});

test("passes a limit and a temperature of zero on", () => {
  expect(render({ maxOutputTokens: 0, temperature: 0 })).toMatchObject({
    maxOutputTokens: 0,
    temperature: 0,
  });
});

test.each([{}, { outputSchema: {} }])("leaves nothing at the provider, asked for %j", (fields) => {
  expect(render(fields).providerOptions).toMatchObject({ openai: { store: false } });
});

test("gives back what the provider attached to each part", () => {
  const signed = { anthropic: { signature: "s" } };
  const content = [
    { kind: "reasoning", text: "hm", providerData: signed },
    { kind: "text", text: "hello", providerData: signed },
    { kind: "tool-call", toolCallId: "1", toolName: "look", input: "{}", providerData: signed },
  ] as const;
  const [message] = render({ messages: [{ role: "assistant", content }] }).prompt;
  expect(message).toMatchObject({
    content: [
      { type: "reasoning", providerOptions: signed },
      { type: "text", providerOptions: signed },
      { type: "tool-call", providerOptions: signed },
    ],
  });
});

test("does not send back what an answer rests on", () => {
  const content = [
    { kind: "text", text: "hello" },
    { kind: "source", id: "1", url: "https://example.com" },
  ] as const;
  expect(render({ messages: [{ role: "assistant", content }] }).prompt).toEqual([
    { role: "assistant", content: [{ type: "text", text: "hello" }] },
  ]);
});

test("puts results that follow each other into one message", () => {
  const results = ["1", "2"].map((toolCallId): ModelMessage => {
    return { role: "tool", toolCallId, toolName: "look", result: toolCallId };
  });
  const { prompt } = render({ messages: [...results, { role: "user", text: "and?" }] });
  expect(prompt).toMatchObject([
    { role: "tool", content: [{ toolCallId: "1" }, { toolCallId: "2" }] },
    { role: "user", content: [{ type: "text", text: "and?" }] },
  ]);
});

test.each([
  ["a text", "fine", { type: "text", value: "fine" }],
  ["an object", { sky: ["clear"] }, { type: "json", value: { sky: ["clear"] } }],
  ["null", null, { type: "json", value: null }],
])("gives %s back as the result of a tool", (_, result, output) => {
  const { prompt } = render({
    messages: [{ role: "tool", toolCallId: "1", toolName: "look", result }],
  });
  expect(prompt).toMatchObject([{ role: "tool", content: [{ type: "tool-result", output }] }]);
});

test.each([
  ['{"city":"Oslo"}', { city: "Oslo" }],
  ["", {}],
  ['{"city":', { unparsed: '{"city":' }],
  ["[1]", { unparsed: "[1]" }],
])("gives the arguments %s back as an object", (written, input) => {
  const call = { kind: "tool-call", toolCallId: "1", toolName: "look", input: written } as const;
  const { prompt } = render({ messages: [{ role: "assistant", content: [call] }] });
  expect(prompt).toEqual([
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "1", toolName: "look", input }],
    },
  ]);
});

test("keeps the texts and the reasoning of an assistant message", () => {
  const content = [
    { kind: "reasoning", text: "hm" },
    { kind: "text", text: "hello" },
  ] as const;
  expect(render({ messages: [{ role: "assistant", content }] }).prompt).toEqual([
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "hello" },
      ],
    },
  ]);
});

test.each([true, false])("asks for text when the schema is %s", (outputSchema) => {
  expect(render({ outputSchema })).not.toHaveProperty("responseFormat");
});

test("leaves the description of a tool out when it has none", () => {
  const { tools } = render({ tools: [{ name: "look", inputSchema: { type: "object" } }] });
  expect(tools).toEqual([{ type: "function", name: "look", inputSchema: { type: "object" } }]);
});
