import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { type ModelDelta, ModelError, type ModelResult } from "@turnseal/ports";
import { describe, expect, test } from "vitest";
import { ANSWER_LENGTH_MAX, CONTENT_PARTS_MAX, STREAM_PARTS_MAX } from "./answer-limits.ts";
import { readStream } from "./read-stream.ts";

// Parts are free in their fields, because the cases are streams that a provider should not give.
type Part = { readonly type: string; readonly [field: string]: unknown };

const FINISH: Part = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: { inputTokens: { total: 7 }, outputTokens: { total: 3 } },
};

const text = (...pieces: string[]): Part[] => block("text", pieces);
const block = (kind: string, pieces: string[], end: object = {}, start: object = {}): Part[] => [
  { type: `${kind}-start`, id: "1", ...start },
  ...pieces.map((delta) => ({ type: `${kind}-delta`, id: "1", delta })),
  { type: `${kind}-end`, id: "1", ...end },
];

interface Options {
  readonly isStructured?: boolean;
  readonly signal?: AbortSignal;
  readonly onDelta?: (delta: ModelDelta) => void;
}

function streamOf(parts: Iterable<Part>): ReadableStream<LanguageModelV4StreamPart> {
  return ReadableStream.from(parts as Iterable<LanguageModelV4StreamPart>);
}

async function read(parts: Iterable<Part>, options: Options = {}) {
  const told: ModelDelta[] = [];
  const outcome: unknown = await readStream(streamOf(parts), {
    backend: "local",
    isStructured: false,
    onDelta: (delta) => void told.push(delta),
    signal: new AbortController().signal,
    ...options,
  }).catch((error: unknown) => error);
  return { told, outcome, content: (outcome as ModelResult).content };
}

describe("a stream that ends well", () => {
  test("gives every part in its order, with the end, the usage and who answered", async () => {
    const { outcome, told } = await read([
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "1", modelId: "small-2026" },
      ...block("reasoning", ["h", "m"]),
      { type: "ping" },
      ...text("hel", "lo"),
      { type: "tool-input-start", id: "c", toolName: "look" },
      { type: "tool-input-delta", id: "c", delta: "{}" },
      { type: "tool-input-end", id: "c" },
      { type: "tool-call", toolCallId: "c", toolName: "look", input: "{}" },
      FINISH,
    ]);
    expect(outcome).toEqual({
      content: [
        { kind: "reasoning", text: "hm" },
        { kind: "text", text: "hello" },
        { kind: "tool-call", toolCallId: "c", toolName: "look", input: "{}" },
      ],
      finishReason: "stop",
      usage: { inputTokens: 7, outputTokens: 3 },
      answeredBy: "small-2026",
    });
    expect(told.map(({ kind, part, text: piece }) => `${kind} ${part} ${piece}`)).toEqual([
      "reasoning 0 h",
      "reasoning 0 m",
      "text 1 hel",
      "text 1 lo",
    ]);
  });

  test("tells two parts that are written at once under their own numbers", async () => {
    const { content, told } = await read([
      { type: "text-start", id: "a" },
      { type: "text-start", id: "b" },
      { type: "text-delta", id: "b", delta: "second" },
      { type: "text-delta", id: "a", delta: "first" },
      { type: "text-delta", id: "b", delta: "!" },
      FINISH,
    ]);
    expect(content).toMatchObject([{ text: "second!" }, { text: "first" }]);
    expect(told.map(({ part }) => part)).toEqual([0, 1, 0]);
  });

  test("may use the id of a part again once it has ended", async () => {
    const { content } = await read([
      ...text("one"),
      ...block("reasoning", ["hm"]),
      ...text("two"),
      FINISH,
    ]);
    expect(content).toMatchObject([{ text: "one" }, { text: "hm" }, { text: "two" }]);
  });

  test("has no part that was never written, unless something is attached to it", async () => {
    const signed = { providerMetadata: { anthropic: { redactedData: "r" } } };
    const { content, told } = await read([
      ...text(""),
      ...block("reasoning", [], {}, signed),
      ...text("yes"),
      FINISH,
    ]);
    expect(content).toEqual([
      { kind: "reasoning", text: "", providerData: signed.providerMetadata },
      { kind: "text", text: "yes" },
    ]);
    expect(told).toMatchObject([{ part: 1, text: "yes" }]);
  });

  test("keeps what the provider attached at the start, with a piece and at the end", async () => {
    const { content } = await read([
      {
        type: "reasoning-start",
        id: "1",
        providerMetadata: { openai: { itemId: "i", key: null } },
      },
      { type: "reasoning-delta", id: "1", delta: "", providerMetadata: { anthropic: { a: 1 } } },
      { type: "reasoning-end", id: "1", providerMetadata: { openai: { key: "k" } } },
      {
        type: "tool-call",
        toolCallId: "c",
        toolName: "look",
        input: "{}",
        providerMetadata: { google: { thoughtSignature: "t" } },
      },
      FINISH,
    ]);
    expect(content).toMatchObject([
      { providerData: { openai: { itemId: "i", key: "k" }, anthropic: { a: 1 } } },
      { providerData: { google: { thoughtSignature: "t" } } },
    ]);
  });

  test("leaves out what the provider ran itself and what the port has no word for", async () => {
    const own = { providerExecuted: true, toolName: "search" };
    const { content } = await read([
      { type: "tool-input-start", id: "s", ...own },
      { type: "tool-call", toolCallId: "s", input: "{}", ...own },
      { type: "tool-result", toolCallId: "s", toolName: "search", result: {} },
      { type: "unheard" },
      ...text("found"),
      FINISH,
    ]);
    expect(content).toEqual([{ kind: "text", text: "found" }]);
  });

  test("keeps what an answer rests on, in its place, and tells nothing of it", async () => {
    const source = { id: "1", url: "https://example.org", title: "Example" };
    const { content, told } = await read([
      { type: "source", sourceType: "url", ...source },
      ...text("found"),
      FINISH,
    ]);
    expect(content).toEqual([
      { kind: "source", ...source },
      { kind: "text", text: "found" },
    ]);
    expect(told).toEqual([{ kind: "text", part: 1, text: "found" }]);
  });

  test("says nothing of a usage that the provider did not count", async () => {
    const { outcome } = await read([...text("a"), { ...FINISH, usage: undefined }]);
    expect(outcome).toMatchObject({ usage: {} });
  });

  test("leaves out commentary only when JSON was asked for", async () => {
    const draft = { providerMetadata: { openai: { phase: "commentary" } } };
    const parts = [...block("text", ["let me see"], {}, draft), ...text("{}"), FINISH];
    const structured = await read(parts, { isStructured: true });
    expect(structured.content).toEqual([{ kind: "text", text: "{}" }]);
    expect(structured.told).toMatchObject([{ part: 0, text: "{}" }]);
    expect((await read(parts)).content).toHaveLength(2);
  });

  test("loses a tool call that the output limit cut off", async () => {
    const cut = { ...FINISH, finishReason: { unified: "length", raw: "max" } };
    const begun = { type: "tool-input-start", id: "c", toolName: "look" };
    const { outcome } = await read([...text("a"), begun, cut]);
    expect(outcome).toMatchObject({ content: [{ text: "a" }], finishReason: "length" });
  });
});

describe("a stream that is no answer", () => {
  const interrupted = { ...FINISH, finishReason: { unified: "interrupted", raw: undefined } };
  const nameless = { ...FINISH, finishReason: { unified: "other", raw: undefined } };
  const named = Object.assign(new Error("words"), { name: "AI_JSONParseError" });
  test.each<[string, Part[], string]>([
    ["has no end", text("half"), "MODEL_ANSWER_UNFINISHED"],
    ["has nothing", [], "MODEL_ANSWER_UNFINISHED"],
    ["was interrupted", [...text("half"), interrupted], "MODEL_ANSWER_UNFINISHED"],
    ["gives no reason for its end", [...text("half"), nameless], "MODEL_ANSWER_UNFINISHED"],
    [
      "reports a failure",
      [...text("a"), { type: "error", error: {} }, FINISH],
      "MODEL_ANSWER_BROKEN",
    ],
    ["cannot be parsed", [{ type: "error", error: named }, FINISH], "MODEL_ANSWER_INVALID"],
    ["is overloaded", [{ type: "error", error: { statusCode: 529 } }], "MODEL_ANSWER_BROKEN"],
    ["is too fast", [{ type: "error", error: { statusCode: 429 } }], "MODEL_ANSWER_BROKEN"],
    [
      "writes to a part that it never began",
      [{ type: "text-delta", id: "9", delta: "a" }, FINISH],
      "MODEL_ANSWER_INVALID",
    ],
    ["writes what is no text", [...text(7 as unknown as string), FINISH], "MODEL_ANSWER_INVALID"],
    [
      "calls a tool without a name",
      [{ type: "tool-call", toolCallId: "c", input: "{}" }, FINISH],
      "MODEL_ANSWER_INVALID",
    ],
    [
      "begins a tool call and forgets it",
      [{ type: "tool-input-start", id: "c", toolName: "look" }, FINISH],
      "MODEL_ANSWER_INVALID",
    ],
  ])("because it %s", async (_, parts, code) => {
    const { outcome } = await read(parts);
    expect(outcome).toBeInstanceOf(ModelError);
    expect(outcome).toMatchObject({ code, retry: "retry" });
  });

  test("because it breaks off after some text", async () => {
    function* breaking() {
      yield* text("half of it").slice(0, 2);
      throw Object.assign(new Error("words of the provider"), { code: "ECONNRESET" });
    }
    const { outcome, told } = await read(breaking());
    expect(told).toHaveLength(1);
    expect(outcome).toMatchObject({
      code: "MODEL_ANSWER_BROKEN",
      message: "local broke off its answer (ECONNRESET)",
    });
    expect(outcome).not.toHaveProperty("cause");
  });
});

describe("a stream has a largest", () => {
  const tooLarge = { code: "MODEL_ANSWER_TOO_LARGE", retry: "never" };

  test("text", async () => {
    const pieces = ["x".repeat(ANSWER_LENGTH_MAX - 1), "x"];
    expect((await read([...text(...pieces), FINISH])).content).toHaveLength(1);
    expect((await read([...text(...pieces, "x"), FINISH])).outcome).toMatchObject(tooLarge);
  });

  test("input of a tool, while it is written", async () => {
    const begun = { type: "tool-input-start", id: "c", toolName: "look" };
    const delta = { type: "tool-input-delta", id: "c", delta: "x".repeat(ANSWER_LENGTH_MAX) };
    expect((await read([begun, delta])).outcome).toMatchObject({ code: "MODEL_ANSWER_UNFINISHED" });
    const more = { ...delta, delta: "x" };
    expect((await read([begun, delta, more])).outcome).toMatchObject(tooLarge);
  });

  test("number of parts", async () => {
    const parts = Array.from({ length: CONTENT_PARTS_MAX }, () => text("a")).flat();
    expect((await read([...parts, FINISH])).content).toHaveLength(CONTENT_PARTS_MAX);
    expect((await read([...parts, ...text("a"), FINISH])).outcome).toMatchObject(tooLarge);
  });

  test("number of messages, also of those that bring nothing", async () => {
    function* pings(count: number) {
      for (let index = 0; index < count; index++) yield { type: "ping" };
      yield FINISH;
    }
    expect((await read(pings(STREAM_PARTS_MAX - 1))).outcome).toMatchObject({ content: [] });
    expect((await read(pings(STREAM_PARTS_MAX))).outcome).toMatchObject(tooLarge);
  });
});

describe("an abort", () => {
  test("ends the telling at once, and gives the connection up", async () => {
    const controller = new AbortController();
    let isGivenUp = false;
    function* endless() {
      try {
        yield { type: "text-start", id: "1" };
        while (true) yield { type: "text-delta", id: "1", delta: "a" };
      } finally {
        isGivenUp = true;
      }
    }
    const told: ModelDelta[] = [];
    const onDelta = (delta: ModelDelta) => {
      told.push(delta);
      if (told.length === 3) controller.abort();
    };
    const { outcome } = await read(endless(), { signal: controller.signal, onDelta });
    expect(outcome).toMatchObject({ code: "MODEL_ABORTED", retry: "never" });
    expect(told).toHaveLength(3);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(isGivenUp).toBe(true);
  });

  test("does not wait for a stream that stands still", async () => {
    const controller = new AbortController();
    const silent = new ReadableStream<LanguageModelV4StreamPart>();
    const context = { backend: "local", isStructured: false, onDelta: () => {} };
    const reading = readStream(silent, { ...context, signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: "MODEL_ABORTED" });
  });
});
