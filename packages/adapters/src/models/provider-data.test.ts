// A provider's data of thoughts and calls goes back with the next request, unchanged, after it was
// stored as JSON.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Model } from "@turnseal/ports";
import type { ModelContent, ModelMessage } from "@turnseal/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Provider, WIRES } from "./provider-wires.test.data.ts";

interface Exchange {
  readonly whole: object;
  readonly stream: readonly object[];
  /** The expected part of the next request's body. */
  readonly sentBack: object;
}

const call = { name: "look", input: { city: "Oslo" } };
const input = JSON.stringify(call.input);
const reasoning = {
  type: "reasoning",
  id: "rs_1",
  encrypted_content: "sealed-thought",
  summary: [{ type: "summary_text", text: "hm" }],
};
const functionCall = {
  ...{ type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: input },
  status: "completed",
};
const response = { id: "resp_1", object: "response", created_at: 1, model: "small" };
const usage = { input_tokens: 1, output_tokens: 1 };
const answered = { ...response, status: "completed", output: [reasoning, functionCall], usage };
const message = { id: "msg_1", type: "message", role: "assistant", model: "small" };
const thinking = { type: "thinking", thinking: "hm", signature: "sealed-thought" };
const toolUse = { type: "tool_use", id: "call_1", name: "look", input: call.input };
const content = { role: "model" };
const thought = { text: "hm", thought: true };
const signedCall = {
  functionCall: { id: "call_1", name: "look", args: call.input },
  thoughtSignature: "sealed-thought",
};

const EXCHANGES: Readonly<Record<"openai" | "anthropic" | "google", Exchange>> = {
  openai: {
    whole: answered,
    stream: [
      { type: "response.created", response },
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { ...reasoning, encrypted_content: "", summary: [] },
      },
      {
        type: "response.reasoning_summary_text.delta",
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        delta: "hm",
      },
      { type: "response.output_item.done", output_index: 0, item: reasoning },
      { type: "response.output_item.added", output_index: 1, item: functionCall },
      { type: "response.output_item.done", output_index: 1, item: functionCall },
      { type: "response.completed", response: answered },
    ],
    sentBack: {
      store: false,
      input: expect.arrayContaining([
        expect.objectContaining({ type: "reasoning", encrypted_content: "sealed-thought" }),
      ]),
    },
  },
  anthropic: {
    whole: {
      ...message,
      content: [thinking, toolUse],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage,
    },
    stream: [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "thinking", thinking: "", signature: "" },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "thinking_delta", thinking: "hm" },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "signature_delta", signature: "sealed-thought" },
      },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { ...toolUse, input: {} } },
      {
        type: "content_block_delta",
        index: 1,
        delta: { type: "input_json_delta", partial_json: input },
      },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ],
    sentBack: {
      messages: expect.arrayContaining([
        expect.objectContaining({ content: expect.arrayContaining([thinking]) }),
      ]),
    },
  },
  google: {
    whole: {
      candidates: [{ content: { ...content, parts: [thought, signedCall] }, finishReason: "STOP" }],
    },
    stream: [
      { candidates: [{ content: { ...content, parts: [thought] } }] },
      { candidates: [{ content: { ...content, parts: [signedCall] }, finishReason: "STOP" }] },
    ],
    sentBack: {
      contents: expect.arrayContaining([
        expect.objectContaining({
          parts: expect.arrayContaining([
            expect.objectContaining({ thoughtSignature: "sealed-thought" }),
          ]),
        }),
      ]),
    },
  },
};

const bodies: unknown[] = [];
let reply: { readonly type: string; readonly text: string };
const server = createServer((request, respond) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    respond.writeHead(200, { "content-type": reply.type }).end(reply.text);
  });
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => void bodies.splice(0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(model: Model, messages: ModelMessage[], isWatched: boolean) {
  const { signal } = new AbortController();
  const tools = [{ name: "look", inputSchema: { type: "object" } }];
  const watching = isWatched ? { onDelta: () => {} } : {};
  // A model that is known to think, so that its package sends thoughts back.
  const names: Partial<Record<string, string>> = { "gpt-4o": "gpt-5.4-mini" };
  const name = names[model.defaultModel] ?? model.defaultModel;
  return model.generate({ model: name, messages, tools, signal, ...watching });
}

describe.each(Object.entries(EXCHANGES))("%s", (provider, { whole, stream, sentBack }) => {
  test.each([false, true])("gets its own words back (streamed: %s)", async (isWatched) => {
    const events = stream.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("");
    reply = isWatched
      ? { type: "text/event-stream", text: events }
      : { type: "application/json", text: JSON.stringify(whole) };
    const model = WIRES[provider as Provider].bind(url);
    const question = { role: "user", text: "weather in Oslo?" } as const;
    const first = await ask(model, [question], isWatched);
    expect(first.content.map(({ kind }) => kind)).toEqual(["reasoning", "tool-call"]);
    expect(first.content).toMatchObject([{ text: "hm" }, { toolName: "look", input }]);

    const stored: ModelContent[] = JSON.parse(JSON.stringify(first.content));
    const toolCallId = stored[1]?.kind === "tool-call" ? stored[1].toolCallId : "";
    await ask(
      model,
      [
        question,
        { role: "assistant", content: stored },
        { role: "tool", toolCallId, toolName: "look", result: { sky: "clear" } },
      ],
      isWatched,
    );
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toMatchObject(sentBack);
    expect(JSON.stringify(bodies[0])).not.toContain("sealed-thought");
  });
});
