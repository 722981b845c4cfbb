import { expect, test } from "vitest";
import { answerBy, taskOf } from "./answer-by.ts";
import { type ChatFigures, killChats } from "./kill-chats.ts";
import { openLocalStage } from "./local-chats.ts";
import { charge, countUsage, createProviderCache } from "./provider-cache.ts";
import { startRecordingServer } from "./recording-server.ts";
import { runTask, type TaskFigures } from "./run-task.ts";
import { isWhole, type SentPart } from "./sent.ts";
import { summarize } from "./summary.ts";
import { PROVIDERS } from "./wires.ts";

const good = { torn: 0, differing: 0, findings: 0 };

test("a chat whose process is killed asks what an undisturbed one asks", async () => {
  const stage = openLocalStage();
  const options = { provider: "anthropic", turns: 4, kills: 2, seed: 3, say: () => {} } as const;
  const figures = await killChats({ ...options, stage });
  await stage.close();
  expect(figures).toMatchObject({ ...good, kills: 2, requests: 5, unequal: 0 });
  expect(figures.turns).toBe(4 * figures.chats);
});

test.each(PROVIDERS)(
  "a task of %s goes on past its rounds, within its window",
  async (provider) => {
    const figures = await runTask({ provider, rounds: 40, windowTokens: 3_000 });
    expect(figures).toMatchObject({ ...good, isDone: true, turns: 2, requests: 41, tooLong: 0 });
    expect(figures.tokensMost).toBeGreaterThan(1_500);
    expect(figures.breaks).toBeGreaterThan(1);
  },
);

test("the answer depends on everything that was read", () => {
  const parts: SentPart[] = [{ kind: "words", text: "one" }];
  const [one, other] = ["a", "b"].map((text) => answerBy({ pieces: [text], parts }));
  expect(one).not.toEqual(other);
  const task: SentPart[] = [{ kind: "words", text: taskOf(2) }];
  expect(answerBy({ pieces: [], parts: task })).toMatchObject({ input: { step: 1 } });
  const last: SentPart = { kind: "result", id: "c", text: '{"step":2}' };
  expect(answerBy({ pieces: [], parts: [...task, last] })).toEqual({
    kind: "text",
    text: "took 2 steps",
  });
});

test("a call without its result is torn, and so is a result without its call", () => {
  const call: SentPart = { kind: "call", id: "c" };
  const result: SentPart = { kind: "result", id: "c", text: "" };
  const isWholeWith = (...parts: SentPart[]): boolean => isWhole({ parts });
  expect(isWholeWith(call, result, { kind: "answer" })).toBe(true);
  expect(isWholeWith(call)).toBe(false);
  expect(isWholeWith(result)).toBe(false);
  expect(isWholeWith(call, { kind: "answer" }, result)).toBe(false);
});

test("tokens that repeat are counted from the first one on", () => {
  const { read } = createProviderCache();
  expect(read(["one two", "three"])).toEqual({ all: 3, repeated: 0, isWhole: true });
  expect(read(["one two", "three", "four"])).toEqual({ all: 4, repeated: 3, isWhole: true });
  // The summarizer's requests come in between.
  expect(read(["six"])).toEqual({ all: 1, repeated: 0, isWhole: true });
  expect(read(["one two", "four"])).toEqual({ all: 3, repeated: 2, isWhole: false });
});

test("what is kept is charged by the terms of the provider", () => {
  const read = { all: 2_000, repeated: 1_500, isWhole: true };
  const steps = { tokensMin: 1_024, tokensStep: 128, isWritePaid: false };
  const prices = { input: 2, cacheRead: 0.1, cacheWrite: 3, output: 5 };
  const inSteps = countUsage(read, steps, 10);
  expect(inSteps).toEqual({ input: 2_000, cacheRead: 1_408, cacheWrite: 0, output: 10 });
  expect(charge(inSteps, prices)).toBe(Math.ceil(592 * 2 + 140.8 + 50));
  const whole = countUsage(read, { ...steps, tokensStep: 1, isWritePaid: true }, 10);
  expect(whole).toEqual({ input: 2_000, cacheRead: 1_500, cacheWrite: 500, output: 10 });
  expect(charge(whole, prices)).toBe(150 + 1_500 + 50);
  const little = countUsage({ ...read, all: 900, repeated: 800 }, steps, 10);
  expect(little).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
});

test("much at once that is no words does not pass the window", async () => {
  const task = { provider: "openai", rounds: 4, windowTokens: 9_000, page: "jump" } as const;
  const figures = await runTask(task);
  expect(figures).toMatchObject({ ...good, isDone: true, tooLong: 0 });
  expect(figures.tokensMost).toBeGreaterThan(4_500);
});

test.each(PROVIDERS)("what passes the window is refused in the words of %s", async (provider) => {
  const server = await startRecordingServer(0);
  const { talk, url } = server.open({ provider, windowTokens: 100 });
  const words = { role: "user", content: [{ type: "text", text: "word ".repeat(100) }] };
  const body = JSON.stringify({ input: [words], messages: [words] });
  const response = await fetch(url, { method: "POST", body });
  server.close();
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(/context_length_exceeded|prompt is too long: 1\d\d tokens/);
  expect(talk).toMatchObject({ tooLong: 1, tokens: 0, micros: 0 });
});

test("figures that miss a goal do not pass", () => {
  const chat: ChatFigures = {
    ...{ ...good, chats: 1, kills: 2, requests: 5, repeated: 1, unequal: 0, turns: 4 },
  };
  const task: TaskFigures = {
    ...{
      ...good,
      isDone: true,
      turns: 2,
      requests: 41,
      tokensMost: 9,
      tooLong: 0,
    },
    ...{ repeatedShare: 0.96, breaks: 2, cachedShare: 0.9, charged: 7, spent: 7 },
  };
  const pass = (changed: { chat?: object; task?: object; prefix?: object } = {}): boolean => {
    const chats = { openai: { ...chat, ...changed.chat } };
    const tasks = { openai: { ...task, ...changed.task } };
    const prefixes = { openai: { ...task, ...changed.prefix } };
    return summarize({ chats, tasks, prefixes }, 2).pass;
  };
  expect(pass()).toBe(true);
  for (const wrong of [{ unequal: 1 }, { kills: 1 }, { repeated: 3 }, { findings: 1 }])
    expect(pass({ chat: wrong }), JSON.stringify(wrong)).toBe(false);
  for (const wrong of [{ isDone: false }, { tooLong: 1 }, { torn: 1 }, { spent: 6 }])
    expect(pass({ task: wrong }), JSON.stringify(wrong)).toBe(false);
  for (const wrong of [{ repeatedShare: 0.94 }, { breaks: 1 }])
    expect(pass({ prefix: wrong }), JSON.stringify(wrong)).toBe(false);
});
