import type { LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { FINISH_REASONS } from "@turnseal/ports";
import { describe, expect, test } from "vitest";
import { ANSWER_LENGTH_MAX, CONTENT_PARTS_MAX } from "./answer-limits.ts";
import { parseAnswer } from "./parse-answer.ts";

const context = { backend: "local", isStructured: false };

// The fields are free, because the cases are answers that a provider should not give.
function answer(fields: Readonly<Record<string, unknown>> = {}): LanguageModelV4GenerateResult {
  const usage = usageOf({ input: 7, output: 3 });
  const finishReason = { unified: "stop", raw: "stop" } as const;
  return Object.assign({ content: [], finishReason, usage, warnings: [] }, fields);
}

function usageOf({ input, output }: { input?: unknown; output?: unknown }) {
  const inputTokens = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const outputTokens = { text: undefined, reasoning: undefined };
  return {
    inputTokens: Object.assign({ total: undefined }, inputTokens, { total: input }),
    outputTokens: Object.assign({ total: undefined }, outputTokens, { total: output }),
  };
}

describe("usage", () => {
  test("is what the provider counted", () => {
    expect(parseAnswer(answer(), context).usage).toEqual({ inputTokens: 7, outputTokens: 3 });
  });

  test.each([
    [0, 0],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [1.2, 2],
  ])("of %s tokens is reported as %s", (given, reported) => {
    const usage = usageOf({ input: given, output: given });
    const expected = { inputTokens: reported, outputTokens: reported };
    expect(parseAnswer(answer({ usage }), context).usage).toEqual(expected);
  });

  test.each([undefined, null, Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 53, "7"])(
    "of %s tokens is left out, on its side alone",
    (given) => {
      const usage = usageOf({ input: given, output: 3 });
      expect(parseAnswer(answer({ usage }), context).usage).toEqual({ outputTokens: 3 });
    },
  );

  test("names what a cache held and took, and thoughts, where there were any", () => {
    const usage = {
      inputTokens: { total: 100, noCache: 20, cacheRead: 70, cacheWrite: 10 },
      outputTokens: { total: 9, text: 4, reasoning: 5 },
    };
    expect(parseAnswer(answer({ usage }), context).usage).toEqual({
      ...{ inputTokens: 100, cacheReadTokens: 70, cacheWriteTokens: 10 },
      ...{ outputTokens: 9, reasoningTokens: 5 },
    });
    const none = {
      inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: -1 },
      outputTokens: { total: 9, text: 9, reasoning: 0 },
    };
    expect(parseAnswer(answer({ usage: none }), context).usage).toEqual({
      ...{ inputTokens: 100, outputTokens: 9 },
    });
  });

  test("is empty when the provider says nothing at all", () => {
    expect(parseAnswer(answer({ usage: undefined }), context).usage).toEqual({});
  });
});

describe("the finish reason", () => {
  test.each(FINISH_REASONS)("%s is kept", (unified) => {
    const { finishReason } = parseAnswer(answer({ finishReason: { unified } }), context);
    expect(finishReason).toBe(unified);
  });

  test("of an answer that was interrupted makes it no answer", () => {
    const interrupted = answer({ finishReason: { unified: "interrupted" } });
    const unfinished = { code: "MODEL_ANSWER_UNFINISHED", retry: "retry" };
    expect(() => parseAnswer(interrupted, context)).toThrow(expect.objectContaining(unfinished));
  });

  test.each([{ unified: "unheard" }, { unified: "toString" }, "stop", undefined])(
    "%s is other",
    (finishReason) => {
      expect(parseAnswer(answer({ finishReason }), context).finishReason).toBe("other");
    },
  );
});

describe("the content", () => {
  test("keeps texts, reasoning and tool calls in their order", () => {
    const content = [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "let me look" },
      { type: "tool-call", toolCallId: "1", toolName: "look", input: "not json" },
    ];
    expect(parseAnswer(answer({ content }), context).content).toEqual([
      { kind: "reasoning", text: "hm" },
      { kind: "text", text: "let me look" },
      { kind: "tool-call", toolCallId: "1", toolName: "look", input: "not json" },
    ]);
  });

  test("keeps what the provider attaches, without what has no value", () => {
    const content = [
      { type: "reasoning", text: "hm", providerMetadata: { anthropic: { signature: "s" } } },
      { type: "text", text: "a", providerMetadata: { openai: { itemId: "1", phase: undefined } } },
      { type: "text", text: "b", providerMetadata: { openai: {}, other: undefined } },
      {
        type: "tool-call",
        toolCallId: "1",
        toolName: "look",
        input: "{}",
        providerMetadata: { google: { thoughtSignature: "t" } },
      },
    ];
    expect(parseAnswer(answer({ content }), context).content).toEqual([
      { kind: "reasoning", text: "hm", providerData: { anthropic: { signature: "s" } } },
      { kind: "text", text: "a", providerData: { openai: { itemId: "1" } } },
      { kind: "text", text: "b" },
      {
        kind: "tool-call",
        toolCallId: "1",
        toolName: "look",
        input: "{}",
        providerData: { google: { thoughtSignature: "t" } },
      },
    ]);
  });

  test("has at most as many parts and characters as the limits say", () => {
    const parts = (count: number) =>
      Array.from({ length: count }, () => ({ type: "text", text: "" }));
    const tooLarge = { code: "MODEL_ANSWER_TOO_LARGE", retry: "never" };
    const parse = (content: object[]) => parseAnswer(answer({ content }), context).content;
    expect(parse(parts(CONTENT_PARTS_MAX))).toHaveLength(CONTENT_PARTS_MAX);
    expect(() => parse(parts(CONTENT_PARTS_MAX + 1))).toThrow(expect.objectContaining(tooLarge));
    const frame = JSON.stringify([{ kind: "text", text: "" }]).length;
    const text = "x".repeat(ANSWER_LENGTH_MAX - frame);
    expect(parse([{ type: "text", text }])).toHaveLength(1);
    expect(() => parse([{ type: "text", text: `${text}x` }])).toThrow(
      expect.objectContaining(tooLarge),
    );
  });

  test("leaves out what the provider ran itself and what the port has no word for", () => {
    const content = [
      {
        type: "tool-call",
        toolCallId: "1",
        toolName: "search",
        input: "{}",
        providerExecuted: true,
      },
      { type: "tool-result", toolCallId: "1", toolName: "search", result: {} },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "" } },
      { type: "text", text: "found" },
    ];
    const parsed = parseAnswer(answer({ content }), context);
    expect(parsed.content).toEqual([{ kind: "text", text: "found" }]);
  });

  test("keeps what an answer rests on, as texts", () => {
    const source = { type: "source", sourceType: "url", id: "1", url: "https://example.org" };
    const content = [{ ...source, title: 7, providerMetadata: { local: {} } }, { type: "source" }];
    expect(parseAnswer(answer({ content }), context).content).toEqual([
      { kind: "source", id: "1", url: "https://example.org" },
    ]);
  });

  test("gives a tool call without arguments an empty input", () => {
    const content = [{ type: "tool-call", toolCallId: "1", toolName: "look", input: null }];
    const parsed = parseAnswer(answer({ content }), context);
    expect(parsed.content).toMatchObject([{ toolName: "look", input: "" }]);
  });

  test.each([
    ["is missing", { content: undefined }],
    ["is no list", { content: { length: 1 } }],
    ["has a text that is no string", { content: [{ type: "text", text: 1 }] }],
    ["has a tool call without a name", { content: [{ type: "tool-call", toolCallId: "1" }] }],
    [
      "has a tool input that is no string",
      { content: [{ type: "tool-call", toolCallId: "1", toolName: "look", input: {} }] },
    ],
  ])("makes the answer invalid when it %s", (_, fields) => {
    const invalid = { code: "MODEL_ANSWER_INVALID", retry: "retry" };
    expect(() => parseAnswer(answer(fields), context)).toThrow(expect.objectContaining(invalid));
  });
});

describe("the text that the provider marks as the final one", () => {
  const content = [
    { type: "text", text: "draft" },
    { type: "reasoning", text: "hm" },
    { type: "text", text: "{}" },
  ];

  test("stands alone when JSON was asked for", () => {
    const marked = answer({ content, structuredOutputText: "{}" });
    expect(parseAnswer(marked, { ...context, isStructured: true }).content).toEqual([
      { kind: "reasoning", text: "hm" },
      { kind: "text", text: "{}" },
    ]);
  });

  test("keeps what is attached to it", () => {
    const providerMetadata = { openai: { itemId: "1" } };
    const signed = [content[0], { type: "text", text: "{}", providerMetadata }];
    const marked = answer({ content: signed, structuredOutputText: "{}" });
    expect(parseAnswer(marked, { ...context, isStructured: true }).content).toEqual([
      { kind: "text", text: "{}", providerData: { openai: { itemId: "1" } } },
    ]);
  });

  test("stands alone also when it is in no part", () => {
    const marked = answer({ content, structuredOutputText: "[]" });
    const parsed = parseAnswer(marked, { ...context, isStructured: true });
    expect(parsed.content.at(-1)).toEqual({ kind: "text", text: "[]" });
  });

  test("changes nothing when text was asked for", () => {
    const marked = answer({ content, structuredOutputText: "{}" });
    expect(parseAnswer(marked, context).content).toHaveLength(3);
  });

  test("is every text when the provider marks none", () => {
    const parsed = parseAnswer(answer({ content }), { ...context, isStructured: true });
    expect(parsed.content).toHaveLength(3);
  });
});

test("names who answered only when the provider says so", () => {
  const named = parseAnswer(answer({ response: { modelId: "small-2026" } }), context);
  expect(named.answeredBy).toBe("small-2026");
  expect(parseAnswer(answer({ response: { modelId: "" } }), context)).not.toHaveProperty(
    "answeredBy",
  );
  expect(parseAnswer(answer(), context)).not.toHaveProperty("answeredBy");
});
