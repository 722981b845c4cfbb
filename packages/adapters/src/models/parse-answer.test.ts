import type { LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { FINISH_REASONS } from "@turnseal/ports";
import { describe, expect, test } from "vitest";
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
    [undefined, 0],
    [null, 0],
    [Number.NaN, 0],
    [-1, 0],
    [Number.POSITIVE_INFINITY, 0],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER + 1, 0],
    [1.2, 2],
  ])("of %s tokens is reported as %s", (given, reported) => {
    const usage = usageOf({ input: given, output: given });
    const expected = { inputTokens: reported, outputTokens: reported };
    expect(parseAnswer(answer({ usage }), context).usage).toEqual(expected);
  });

  test("is zero when the provider says nothing at all", () => {
    const { usage } = parseAnswer(answer({ usage: undefined }), context);
    expect(usage).toEqual({ inputTokens: 0, outputTokens: 0 });
  });
});

describe("the finish reason", () => {
  test.each(FINISH_REASONS)("%s is kept", (unified) => {
    const { finishReason } = parseAnswer(answer({ finishReason: { unified } }), context);
    expect(finishReason).toBe(unified);
  });

  test.each([{ unified: "interrupted" }, { unified: "toString" }, "stop", undefined])(
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
      { type: "source", sourceType: "url", id: "1", url: "https://example.org" },
      { type: "text", text: "found" },
    ];
    const parsed = parseAnswer(answer({ content }), context);
    expect(parsed.content).toEqual([{ kind: "text", text: "found" }]);
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
