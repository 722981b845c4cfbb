/**
 * The same answer, "Hello, wide world.", in the bytes of each provider: whole, and as the messages
 * of a stream. Shapes as recorded, with ids and times of no importance.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Model } from "@turnseal/ports";
import { aiSdkModel } from "./ai-sdk-model.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export const PROVIDERS = [
  "openai",
  "openai-chat",
  "anthropic",
  "google",
  "openai-compatible",
] as const;
export type Provider = (typeof PROVIDERS)[number];

interface Wire {
  readonly bind: (url: string) => Model;
  readonly whole: object;
  /** The messages up to and with the first piece of text. */
  readonly beginning: readonly string[];
  /** The messages with the rest of the text. */
  readonly middle: readonly string[];
  /** The messages with the reason of the end. */
  readonly end: readonly string[];
  /** The same answer, stopped by the output limit: whole, and the end of its stream. */
  readonly limited: { readonly whole: object; readonly end: readonly string[] };
  /** The provider's message when it fails in the middle. */
  readonly failure: string;
}

const apiKey = "key-of-the-test";
const event = (data: { readonly type: string }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;

const item = { type: "message", id: "msg_1", role: "assistant" };
const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
const response = { id: "resp_1", object: "response", created_at: 1, model: "small" };
const written = {
  ...item,
  status: "completed",
  content: [{ type: "output_text", text: "Hello, wide world.", annotations: [] }],
};
const responsesUsage = { input_tokens: 9, output_tokens: 4, total_tokens: 13 };
const completed = { ...response, status: "completed", output: [written], usage: responsesUsage };

const incomplete = {
  ...completed,
  status: "incomplete",
  incomplete_details: { reason: "max_output_tokens" },
};

const chunk = (choice: object) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "small",
  choices: [{ index: 0, finish_reason: null, ...choice }],
});
const chatUsage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
const chatAnswer = (finishReason: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "small",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Hello, wide world." },
      finish_reason: finishReason,
    },
  ],
  usage: chatUsage,
});
const chatEnd = (finishReason: string) => [
  data(chunk({ delta: {}, finish_reason: finishReason })),
  data({ ...chunk({}), choices: [], usage: chatUsage }),
  "data: [DONE]\n\n",
];
const chat: Omit<Wire, "bind"> = {
  whole: chatAnswer("stop"),
  limited: { whole: chatAnswer("length"), end: chatEnd("length") },
  beginning: [
    data(chunk({ delta: { role: "assistant", content: "" } })),
    data(chunk({ delta: { content: "Hello, " } })),
  ],
  middle: [data(chunk({ delta: { content: "wide world." } }))],
  end: chatEnd("stop"),
  failure: data({ error: { message: "the machine broke", type: "server_error", code: null } }),
};

const candidate = (text: string, end: object = {}) => ({
  candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0, ...end }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 },
  modelVersion: "small",
});

const textDelta = (text: string) =>
  event({
    ...{ type: "content_block_delta", index: 0 },
    ...{ delta: { type: "text_delta", text } },
  });
const message = { id: "msg_1", type: "message", role: "assistant", model: "small" };
const messageAnswer = (reason: string) => ({
  ...message,
  content: [{ type: "text", text: "Hello, wide world." }],
  stop_reason: reason,
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 4 },
});
const messageEnd = (reason: string) => [
  event({
    type: "message_delta",
    ...{ delta: { stop_reason: reason, stop_sequence: null } },
    ...{ usage: { output_tokens: 4 } },
  }),
  event({ type: "message_stop" }),
];

export const WIRES: Readonly<Record<Provider, Wire>> = {
  openai: {
    bind: (url) =>
      aiSdkModel(createOpenAI({ baseURL: `${url}/v1`, apiKey, fetch: boundedFetch }), {
        defaultModel: "gpt-4o",
      }),
    whole: completed,
    limited: {
      whole: incomplete,
      end: [event({ type: "response.incomplete", ...{ response: incomplete } })],
    },
    beginning: [
      event({ type: "response.created", ...{ response: { ...response, status: "in_progress" } } }),
      event({
        type: "response.output_item.added",
        ...{ output_index: 0, item: { ...item, status: "in_progress", content: [] } },
      }),
      event({ type: "response.output_text.delta", ...place, ...{ delta: "Hello, " } }),
    ],
    middle: [
      event({ type: "response.output_text.delta", ...place, ...{ delta: "wide world." } }),
      event({ type: "response.output_item.done", ...{ output_index: 0, item: written } }),
    ],
    end: [event({ type: "response.completed", ...{ response: completed } })],
    failure: event({
      type: "error",
      ...{ sequence_number: 9, code: "server_error", message: "the machine broke", param: null },
    }),
  },
  "openai-chat": {
    ...chat,
    bind: (url) => {
      const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey, fetch: boundedFetch });
      return aiSdkModel({ languageModel: (name) => openai.chat(name) }, { defaultModel: "gpt-4o" });
    },
  },
  "openai-compatible": {
    ...chat,
    bind: (url) => {
      const settings = { name: "local", supportsStructuredOutputs: true, includeUsage: true };
      const provider = createOpenAICompatible({
        ...settings,
        baseURL: `${url}/v1`,
        apiKey,
        fetch: boundedFetch,
      });
      return aiSdkModel(provider, { defaultModel: "small" });
    },
  },
  anthropic: {
    bind: (url) =>
      aiSdkModel(createAnthropic({ baseURL: `${url}/v1`, apiKey, fetch: boundedFetch }), {
        defaultModel: "claude-haiku-5-5",
      }),
    whole: messageAnswer("end_turn"),
    limited: { whole: messageAnswer("max_tokens"), end: messageEnd("max_tokens") },
    beginning: [
      event({
        type: "message_start",
        ...{
          message: {
            ...message,
            ...{ content: [], stop_reason: null, stop_sequence: null },
            usage: { input_tokens: 9, output_tokens: 1 },
          },
        },
      }),
      event({
        type: "content_block_start",
        ...{ index: 0, content_block: { type: "text", text: "" } },
      }),
      textDelta("Hello, "),
    ],
    middle: [textDelta("wide world."), event({ type: "content_block_stop", ...{ index: 0 } })],
    end: messageEnd("end_turn"),
    failure: event({
      type: "error",
      ...{ error: { type: "overloaded_error", message: "the machine broke" } },
    }),
  },
  google: {
    bind: (url) =>
      aiSdkModel(createGoogle({ baseURL: `${url}/v1beta`, apiKey, fetch: boundedFetch }), {
        defaultModel: "gemini-3.5-flash",
      }),
    whole: candidate("Hello, wide world.", { finishReason: "STOP" }),
    limited: {
      whole: candidate("Hello, wide world.", { finishReason: "MAX_TOKENS" }),
      end: [data(candidate("", { finishReason: "MAX_TOKENS" }))],
    },
    beginning: [data(candidate("Hello, "))],
    middle: [data(candidate("wide world."))],
    end: [data(candidate("", { finishReason: "STOP" }))],
    failure: data({ error: { code: 503, message: "the machine broke", status: "UNAVAILABLE" } }),
  },
};
