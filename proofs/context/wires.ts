/** Two providers: how each is bound, how what it is sent is read, and how it writes its answer. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { aiSdkModel } from "@turnseal/adapters/models";
import type { Model } from "@turnseal/ports";
import type { CacheTerms, Usage } from "./provider-cache.ts";
import type { Answer, Sent, SentPart } from "./sent.ts";

export const PROVIDERS = ["openai", "anthropic"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface Wire {
  readonly model: string;
  readonly cache: CacheTerms;
  bind(url: string): Model;
  read(body: string): Sent;
  write(answer: Answer, usage: Usage): object;
  /** The answer to a request that has more tokens than its window. */
  refuse(tokens: number, windowTokens: number): object;
}

const apiKey = "key-of-the-proof";

interface OpenAiItem {
  readonly role?: string;
  readonly type?: string;
  readonly content?: unknown;
  readonly call_id?: string;
  readonly output?: string;
}

const openai: Wire = {
  model: "gpt-4o",
  cache: { tokensMin: 1_024, tokensStep: 128, isWritePaid: false },
  bind: (url) =>
    aiSdkModel(createOpenAI({ baseURL: `${url}/v1`, apiKey }), { defaultModel: openai.model }),
  read: (body) => {
    const { tools = [], input } = JSON.parse(body) as { tools?: unknown[]; input: OpenAiItem[] };
    return { pieces: listRead([...tools, ...input]), parts: input.flatMap(readOpenAiItem) };
  },
  write: (answer, usage) => ({
    ...{
      id: "resp_1",
      object: "response",
      created_at: 1,
      model: openai.model,
      status: "completed",
    },
    output: [writeOpenAiItem(answer)],
    usage: {
      ...{ input_tokens: usage.input, output_tokens: usage.output },
      input_tokens_details: { cached_tokens: usage.cacheRead },
      total_tokens: usage.input + usage.output,
    },
  }),
  refuse: () => ({
    error: {
      message: "Your input exceeds the context window of this model. Please adjust your input.",
      ...{ type: "invalid_request_error", param: "input", code: "context_length_exceeded" },
    },
  }),
};

function readOpenAiItem({ role, type, content, call_id: id = "", output }: OpenAiItem): SentPart[] {
  if (type === "function_call") return [{ kind: "call", id }];
  if (type === "function_call_output") return [{ kind: "result", id, text: output ?? "" }];
  if (role === "assistant") return [{ kind: "answer" }];
  return role === "user" ? [{ kind: "words", text: textOf(content) }] : [];
}

function writeOpenAiItem(answer: Answer): object {
  if (answer.kind === "call") {
    const { id, tool, input } = answer;
    const call = { type: "function_call", id: `fc_${id}`, call_id: id, name: tool };
    return { ...call, arguments: JSON.stringify(input), status: "completed" };
  }
  return {
    ...{ type: "message", id: "msg_1", role: "assistant", status: "completed" },
    content: [{ type: "output_text", text: answer.text, annotations: [] }],
  };
}

interface AnthropicPart {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

interface AnthropicBody {
  readonly tools?: readonly unknown[];
  readonly system?: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: AnthropicPart[] }[];
}

const anthropic: Wire = {
  model: "claude-haiku-5-5",
  cache: { tokensMin: 1_024, tokensStep: 1, isWritePaid: true },
  bind: (url) =>
    aiSdkModel(createAnthropic({ baseURL: `${url}/v1`, apiKey }), {
      defaultModel: anthropic.model,
    }),
  read: (body) => {
    const { tools = [], system = [], messages } = JSON.parse(body) as AnthropicBody;
    return {
      pieces: listRead([...tools, ...system, ...messages]),
      parts: messages.flatMap(({ role, content }) =>
        content.flatMap((part) => readAnthropicPart(role, part)),
      ),
    };
  },
  write: (answer, usage) => ({
    ...{ id: "msg_1", type: "message", role: "assistant", model: anthropic.model },
    content: [
      answer.kind === "text"
        ? { type: "text", text: answer.text }
        : { type: "tool_use", id: answer.id, name: answer.tool, input: answer.input },
    ],
    ...{ stop_reason: answer.kind === "text" ? "end_turn" : "tool_use", stop_sequence: null },
    usage: {
      // Tokens read from the cache or written to it are not part of it.
      input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
      output_tokens: usage.output,
    },
  }),
  refuse: (tokens, windowTokens) => ({
    type: "error",
    error: {
      type: "invalid_request_error",
      message: `prompt is too long: ${tokens} tokens > ${windowTokens} maximum`,
    },
  }),
};

function readAnthropicPart(role: string, part: AnthropicPart): SentPart[] {
  if (part.type === "tool_use") return [{ kind: "call", id: part.id ?? "" }];
  if (part.type === "tool_result")
    return [{ kind: "result", id: part.tool_use_id ?? "", text: textOf(part.content) }];
  return role === "user" ? [{ kind: "words", text: part.text ?? "" }] : [{ kind: "answer" }];
}

/** A text is sent as it is, or as parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as { readonly text?: string }[]) : [];
  return parts.map(({ text = "" }) => text).join("");
}

function listRead(read: readonly unknown[]): string[] {
  return read.map((piece) => JSON.stringify(piece));
}

export const WIRES: Readonly<Record<Provider, Wire>> = { openai, anthropic };
