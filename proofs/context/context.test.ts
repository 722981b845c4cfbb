import { expect, test } from "vitest";
import { answerBy, taskOf } from "./answer-by.ts";
import { type ChatFigures, killChats } from "./kill-chats.ts";
import { openLocalStage } from "./local-chats.ts";
import { measurePrefix } from "./measure-prefix.ts";
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
  const [one, other] = ["a", "b"].map((text) => answerBy({ text, parts }));
  expect(one).not.toEqual(other);
  const task: SentPart[] = [{ kind: "words", text: taskOf(2) }];
  expect(answerBy({ text: "", parts: task })).toMatchObject({ input: { step: 1 } });
  const last: SentPart = { kind: "result", id: "c", text: '{"step":2}' };
  expect(answerBy({ text: "", parts: [...task, last] })).toEqual({
    kind: "text",
    text: "took 2 steps",
  });
});

test("a call without its result is torn, and so is a result without its call", () => {
  const call: SentPart = { kind: "call", id: "c" };
  const result: SentPart = { kind: "result", id: "c", text: "" };
  const isWholeWith = (...parts: SentPart[]): boolean => isWhole({ text: "", parts });
  expect(isWholeWith(call, result, { kind: "answer" })).toBe(true);
  expect(isWholeWith(call)).toBe(false);
  expect(isWholeWith(result)).toBe(false);
  expect(isWholeWith(call, { kind: "answer" }, result)).toBe(false);
});

test("what repeats is counted from the first character on", () => {
  expect(measurePrefix(["ab", "abcd", "xbcd"])).toEqual({ repeatedShare: 2 / 10, breaks: 1 });
  expect(measurePrefix([])).toEqual({ repeatedShare: 0, breaks: 0 });
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
      underestimated: 0,
    },
    ...{ repeatedShare: 0.96, breaks: 2 },
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
  for (const wrong of [{ isDone: false }, { tooLong: 1 }, { torn: 1 }, { differing: 1 }])
    expect(pass({ task: wrong }), JSON.stringify(wrong)).toBe(false);
  for (const wrong of [{ repeatedShare: 0.94 }, { breaks: 1 }])
    expect(pass({ prefix: wrong }), JSON.stringify(wrong)).toBe(false);
});
