import { MODEL_ERROR_CODES } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { findMissed } from "../find-missed.test.data.ts";
import type { Model, ModelDelta, ModelRequest } from "./model.ts";
import { modelContract } from "./model-contract.ts";
import { ModelError } from "./model-error.ts";
import { type ScriptedReply, scriptedModel } from "./scripted-model.ts";

function scriptable() {
  const replies: ScriptedReply[] = [];
  const model = scriptedModel(replies);
  return {
    model,
    answerWith: (text: string): void => void replies.push(text),
    failOnce: (): void => void replies.push({ failure: "busy" }),
    stall: (): void => void replies.push({ silence: true }),
    requestCount: () => model.requests.length,
    canStream: true,
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
  const asking =
    (change: (request: ModelRequest) => Partial<ModelRequest>) =>
    (model: Model): Model => ({
      ...model,
      generate: (request) => model.generate({ ...request, ...change(request) }),
    });
  const deaf = (model: Model): Model => ({
    ...model,
    generate: (request) => {
      const { signal } = new AbortController();
      const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error()), 100));
      return Promise.race([model.generate({ ...request, signal }), late]);
    },
  });
  const unstorable = { content: [{ kind: "text", text: undefined }] };
  const doubling = asking(({ onDelta }) => ({
    onDelta: (delta) => void [delta, delta].map((told) => onDelta?.(told)),
  }));
  const onlyWatched = (broken: (model: Model) => Model) => (model: Model) => ({
    ...model,
    generate: (request: ModelRequest) =>
      (request.onDelta === undefined ? model : broken(model)).generate(request),
  });
  const broken: Record<string, (model: Model) => Model> = {
    "answers with the provider's text and a known finish reason": changing({ finishReason: "" }),
    "reports usage as safe integers of at least zero, or not at all": changing({
      usage: { inputTokens: -1 },
    }),
    "takes its own answer back, as it is stored": changing(unstorable),
    "makes one request and reports its failure as a ModelError": retrying,
    "rejects promptly when the signal is aborted": deaf,
    "does not ask the provider when the signal is aborted already": deaf,
    "tells pieces that are, joined, the text of their part": doubling,
    "tells when an answer has begun, where it says that it does": asking(() => ({
      onFirstPiece: () => {},
    })),
    "answers the same whether somebody watches or not": onlyWatched(changing({ content: [] })),
    "makes one request also when somebody watches": onlyWatched(retrying),
    "rejects promptly also when somebody watches": onlyWatched(deaf),
  };

  test("in every sentence", async () => {
    const subjects = Object.entries(broken).map(([name, breakModel]) => {
      const create = () => {
        const subject = scriptable();
        return { ...subject, model: breakModel(subject.model) };
      };
      return [name, create] as const;
    });
    expect(await findMissed(modelContract, Object.fromEntries(subjects))).toEqual([]);
  });

  test("and one that tells nothing although it could", async () => {
    const mute = asking(() => ({ onDelta: () => {} }));
    const name = "tells pieces that are, joined, the text of their part";
    const outcomeOf = (canStream: boolean) => {
      const subject = { ...scriptable(), canStream };
      const create = () => ({ ...subject, model: mute(subject.model) });
      return modelContract({ create })
        .find((found) => found.name === name)
        ?.run();
    };
    await expect(outcomeOf(true)).rejects.toThrow("nothing was told");
    await expect(outcomeOf(false)).resolves.toBeUndefined();
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

describe("somebody who watches", () => {
  const watch = async (reply: ScriptedReply, signal = new AbortController().signal) => {
    const told: ModelDelta[] = [];
    const onDelta = (delta: ModelDelta) => void told.push(delta);
    const answer = await ask(scriptedModel([reply]), { onDelta, signal }).catch(
      (error: unknown) => error,
    );
    return { told, answer };
  };

  test("is told word by word, of each part under its number", async () => {
    const { told } = await watch({
      content: [
        { kind: "reasoning", text: "hm  so ", providerData: { scripted: { signature: "s" } } },
        { kind: "tool-call", toolCallId: "1", toolName: "look", input: "{}" },
        { kind: "text", text: "yes" },
        { kind: "text", text: "" },
      ],
    });
    expect(told.map(({ kind, part, text }) => `${kind} ${part} ${text}`)).toEqual([
      "reasoning 0 hm",
      "reasoning 0   so",
      "reasoning 0  ",
      "text 2 yes",
    ]);
  });

  test("is told the pieces of the script as they come, and the answer is their sum", async () => {
    const usage = { inputTokens: 1 };
    const { told, answer } = await watch({ pieces: ["on", "e t", "wo"], usage });
    expect(told.map(({ text }) => text)).toEqual(["on", "e t", "wo"]);
    expect(answer).toMatchObject({ content: [{ kind: "text", text: "one two" }], usage });
  });

  test("of pieces that break off has been told some, and gets no answer", async () => {
    function* breaking() {
      yield "half of";
      throw new Error("words of the script");
    }
    const { told, answer } = await watch({ pieces: breaking() });
    expect(told).toHaveLength(1);
    expect(answer).toMatchObject({ code: "MODEL_ANSWER_BROKEN", message: "the script broke off" });
  });

  test("is told nothing after an abort", async () => {
    const controller = new AbortController();
    async function* slow() {
      yield "before";
      controller.abort();
      yield "after";
    }
    const { told, answer } = await watch({ pieces: slow() }, controller.signal);
    expect(told.map(({ text }) => text)).toEqual(["before"]);
    expect(answer).toMatchObject({ code: "MODEL_ABORTED" });
  });
});

test("whole content says itself how it ended, who answered and what it cost", async () => {
  const content = [{ kind: "text", text: "cut o" }] as const;
  const reply = { content, finishReason: "length", usage: {}, answeredBy: "other" } as const;
  expect(await ask(scriptedModel([reply]))).toEqual(reply);
});

test("an error keeps how long the provider asks to be left alone, and only when it says so", () => {
  const base = { code: "MODEL_RATE_LIMITED", retry: "retry", message: "no" } as const;
  expect(new ModelError({ ...base, retryAfterMs: 0 }).retryAfterMs).toBe(0);
  expect(new ModelError(base).retryAfterMs).toBeUndefined();
});
