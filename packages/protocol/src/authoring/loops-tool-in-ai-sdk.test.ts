// The tool inside the AI SDK's own loop, with a model over HTTP.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import { generateText, stepCountIs, streamText } from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { ApprovalRequiredError, loopsTool } from "./index.ts";

let server: LLMock;
beforeEach(async () => {
  server = await LLMock.create({ port: 0 });
});
afterEach(() => server.stop());

function scripted(argumentsText: string) {
  server.addFixture({
    match: { predicate: ({ messages }) => messages.some(({ role }) => role === "tool") },
    response: { content: "It is done." },
  });
  server.onMessage(/.*/, {
    toolCalls: [{ id: "call-1", name: "pay", arguments: argumentsText }],
  });
  const baseURL = `${server.url}/v1`;
  return createOpenAICompatible({ name: "local", baseURL, apiKey: "none" })("small");
}

function payments() {
  const paid: unknown[] = [];
  const pay = loopsTool({
    name: "pay",
    description: "Pays an order",
    readOnly: false,
    inputSchema: z.object({ order: z.string(), cents: z.int().default(100) }),
    requestApproval: ({ order }, { mode }) => (mode === "night" ? null : `Pay ${order}?`),
    execute: (input, { onToolOutputDelta, toolCallId }) => {
      paid.push(input);
      onToolOutputDelta(`paying for ${toolCallId}`);
      return { paid: input.cents };
    },
  });
  return { pay, paid };
}

const question = { prompt: "Pay order A-1.", stopWhen: stepCountIs(3), maxRetries: 0 };

describe("in generateText", () => {
  test("it is executed once, with what the model wrote and what its schema adds", async () => {
    const { pay, paid } = payments();
    const deltas: string[] = [];
    const context = { onToolOutputDelta: (delta: string) => deltas.push(delta) };
    const { text, steps } = await generateText({
      ...question,
      model: scripted('{"order":"A-1"}'),
      tools: { pay: pay.withApproval("ask", "night").makeTool({ ...context }) },
    });
    expect(text).toBe("It is done.");
    expect(paid).toEqual([{ order: "A-1", cents: 100 }]);
    expect(steps[0]?.toolResults).toMatchObject([{ toolName: "pay", output: { paid: 100 } }]);
    expect(deltas).toEqual(["paying for call-1"]);
    expect(server.getRequests()[0]?.body).toMatchObject({
      tools: [
        { function: { name: "pay", description: "Pays an order", parameters: { type: "object" } } },
      ],
    });
  });

  test("an approval comes out as its error, and nothing was paid", async () => {
    const { pay, paid } = payments();
    const { steps } = await generateText({
      ...question,
      model: scripted('{"order":"A-1"}'),
      tools: { pay: pay.makeTool() },
    });
    const failed = steps.flatMap(({ content }) =>
      content.filter(({ type }) => type === "tool-error"),
    );
    const errors = failed.map((part) => (part.type === "tool-error" ? part.error : undefined));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(ApprovalRequiredError);
    expect(errors[0]).toMatchObject({ description: "Pay A-1?", toolCallId: "call-1" });
    expect(paid).toEqual([]);
  });

  test("what its schema refuses never reaches it", async () => {
    const { pay, paid } = payments();
    const { steps } = await generateText({
      ...question,
      model: scripted('{"order":7}'),
      tools: { pay: pay.withApproval("always_allow", "test").makeTool() },
    });
    expect(steps[0]?.content.some(({ type }) => type === "tool-error")).toBe(true);
    expect(paid).toEqual([]);
  });
});

test("it is executed inside streamText, too", async () => {
  const { pay, paid } = payments();
  const { text } = streamText({
    ...question,
    model: scripted('{"order":"A-1","cents":7}'),
    tools: { pay: pay.withApproval("always_allow", "test").makeTool() },
  });
  expect(await text).toBe("It is done.");
  expect(paid).toEqual([{ order: "A-1", cents: 7 }]);
});
