import { TOKEN_RATIO_MAX } from "@turnseal/kernel";
import { type ScriptedReply, scriptedModel } from "@turnseal/ports";
import type { LoopDef } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { crashAt, openWorld, settle } from "../sample-world.test.data.ts";
import {
  agent,
  answerBy,
  callLook,
  isSame,
  openChat,
  type Refusal,
  replayOf,
  toLine,
} from "./thread-chat.test.data.ts";

test.each([false, true])("each turn is shown all that was said before, cold %s", async (isCold) => {
  const chat = openChat({ replies: ["first", callLook, "second", "third"], isCold });
  expect(await chat.start()).toBe("wait");
  await chat.say("two");
  await chat.say("three");
  const [system, one] = ["system: Be brief.", "user: one"];
  const second = [system, one, "assistant: first", "user: two"];
  const third = [...second, "assistant: calls local__look", 'tool: {"seen":true}'];
  expect(chat.sent()).toEqual([
    [system, one],
    second,
    third,
    [...third, "assistant: second", "user: three"],
  ]);
  expect(await replayOf(chat.world())).toEqual(["identical", "identical", "identical"]);
});

test("a prompt that wants no thread is told nothing of before", async () => {
  const loop = { ...agent, prompt: { template: "{{word}}", variables: ["word"], thread: false } };
  const chat = openChat({ replies: ["first", "second"], loop });
  await chat.start();
  await chat.say("two");
  expect(chat.sent()).toEqual([["user: one"], ["user: two"]]);
});

test.each([false, true])(
  "a turn that ends in the middle leaves what happened, cold %s",
  async (isCold) => {
    const both: ScriptedReply = {
      toolCalls: [
        { tool: "local__look", input: {} },
        { tool: "local__look", input: {} },
      ],
    };
    let count = 0;
    const run = (): unknown => {
      count += 1;
      if (count === 1) return { seen: 1 };
      return new Promise(() => {});
    };
    const chat = openChat({ replies: [both, "after"], run, isCold, bounds: { failuresMax: 5 } });
    const first = chat.start();
    await settle();
    chat.world().clock.advance(60_000);
    await first;
    await chat.step();
    // It is tried again, with the same words.
    expect(chat.sent().at(-1)).toEqual([
      "system: Be brief.",
      "user: one",
      "assistant: calls local__look calls local__look",
      'tool: {"seen":1}',
      'tool: {"error":"INTERRUPTED"}',
      "user: one",
    ]);
  },
);

test.each([false, true])("a task goes on past its rounds, cold %s", async (isCold) => {
  const replies = [...Array.from({ length: 10 }, () => callLook), "done"];
  const chat = openChat({ replies, isCold, bounds: { onRoundsExhausted: "continue" } });
  expect(await chat.start()).toBe("wait");
  const sent = chat.sent();
  expect(sent).toHaveLength(11);
  for (const [index, lines] of sent.entries())
    expect(sent[index + 1]?.slice(0, lines.length) ?? lines, String(index)).toEqual(lines);
  expect(sent.at(-1)?.filter((line) => line.startsWith("user:"))).toEqual(["user: one"]);
  const closed = await chat.world().contents("turn.closed");
  expect(closed.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "completed"]);
  const decided = (await chat.world().contents("run.decided")).map(({ reason }) => reason);
  expect(decided).toEqual(["first-turn", "rounds-exhausted", "rounds-exhausted", "signal-awaited"]);
  expect(await replayOf(chat.world())).toEqual(["identical", "identical", "identical"]);
});

test.each([false, true])("what has no room is left out in blocks, cold %s", async (isCold) => {
  const page = "word ".repeat(100).trim();
  const replies = Array.from({ length: 20 }, (_, index) => `${page} ${index}`);
  const loop = { ...agent, policy: { contextTokensMax: 1_000 } };
  const chat = openChat({ replies, loop, isCold });
  await chat.start();
  for (let turn = 1; turn < 20; turn++) await chat.say(`w${turn}`);
  const sent = chat.sent();
  expect(sent).toHaveLength(20);
  const breaks = sent.flatMap((lines, index) => {
    const before = sent[index - 1] ?? [];
    return before.every((line, place) => lines[place] === line) ? [] : [index];
  });
  expect(breaks.length).toBeGreaterThan(1);
  expect(breaks.length).toBeLessThan(7);
  for (const lines of sent) expect(lines.join(" ").length).toBeLessThan(1_000 * 6);
  expect(sent.at(-1)?.at(-1)).toBe("user: w19");
  expect(sent.at(-1)?.[1]).toMatch(/^user: \[\d+ earlier entries/);
  expect(new Set(await replayOf(chat.world()))).toEqual(new Set(["identical"]));
});

const story: readonly ScriptedReply[] = [callLook, "first", callLook, callLook, "second", "third"];

test("after a crash at any append the next request is the one of an undisturbed run", async () => {
  const whole = openChat({ replies: story });
  await whole.start();
  for (const word of ["two", "three"]) await whole.say(word);
  const wanted = whole.sent();
  const appends = (await whole.world().events()).length;
  for (let place = 1; place <= appends; place++) {
    for (const when of ["before", "after"] as const) {
      const chat = openChat({ replies: [], isCold: true, answer: answerBy(wanted, story) });
      const crash = crashAt(place, when);
      chat.see(crash);
      for (const step of [chat.start, () => chat.say("two"), () => chat.say("three")])
        await step().catch(() => chat.step());
      for (let look = 0; look < 3; look++) {
        chat.world().clock.advance(300_000);
        await chat.step();
      }
      const distinct = chat.sent().filter((lines, index, all) => !isSame(lines, all[index - 1]));
      expect(distinct, `${when} ${place}`).toEqual(wanted);
    }
  }
});

test.each([false, true])("what a provider counted is remembered, cold %s", async (isCold) => {
  const page = "word ".repeat(100).trim();
  const counts = (tokens: number): ScriptedReply => ({
    text: page,
    usage: { inputTokens: tokens, outputTokens: 1 },
  });
  const loop = { ...agent, policy: { contextTokensMax: 1_500 } };
  const replies = Array.from({ length: 8 }, () => counts(9_999));
  const chat = openChat({ replies, loop, isCold });
  await chat.start();
  for (let turn = 1; turn < 8; turn++) await chat.say(`w${turn}`);
  const closed = await chat.world().contents("turn.closed");
  const ratios = closed.map(({ threads }) => threads?.[0]?.ratio);
  // The ratio of a small request says nothing about a large one.
  expect(ratios.slice(0, 2)).toEqual([undefined, undefined]);
  expect(ratios[7]).toBe(TOKEN_RATIO_MAX);
  // Four times as large as estimated: room for two pages, and not for eight.
  expect(chat.sent().at(-1)?.[1]).toMatch(/earlier entries/);
  expect(new Set(await replayOf(chat.world()))).toEqual(new Set(["identical"]));
});

describe.each([false, true])("what a provider refuses to read, cold %s", (isCold) => {
  const name = "no such name, and none that a provider reads";
  const bad: ScriptedReply = { toolCalls: [{ tool: name, input: {} }] };
  const refuseBad = (lines: readonly string[]): Refusal | undefined =>
    lines.some((line) => line.includes(name)) ? { refusal: "invalid name" } : undefined;

  test("is asked again with the newest words alone", async () => {
    const chat = openChat({
      ...{ replies: ["first", bad, "second", "third"], isCold },
      answer: refuseBad,
    });
    await chat.start();
    await chat.say("two");
    await chat.say("three");
    const left = (count: number) =>
      `user: [${count} earlier entries of this conversation were left out to make room.]`;
    expect(chat.sent().slice(-2)).toEqual([
      ["system: Be brief.", left(5), "user: two"],
      ["system: Be brief.", left(5), "user: two", "assistant: second", "user: three"],
    ]);
    expect(new Set(await replayOf(chat.world()))).toEqual(new Set(["identical"]));
  });
});

test("an answer is not parted from results that are told with new words", async () => {
  const page = "word ".repeat(700).trim();
  const cut: ScriptedReply = {
    content: [
      { kind: "tool-call", toolCallId: "c", toolName: "local__look", input: `{"a":"${page}"}` },
    ],
    finishReason: "length",
  };
  const loop = { ...agent, policy: { contextTokensMax: 1_000 } };
  const chat = openChat({ replies: ["first", cut, "second"], loop, bounds: { failuresMax: 5 } });
  await chat.start();
  await chat.say("two");
  for (const lines of chat.sent())
    for (const [index, line] of lines.entries())
      if (line.startsWith("tool:")) expect(lines[index - 1]).toMatch(/^(assistant: calls|tool:)/);
});

test("a stop between two attempts leaves what the log says, for whoever goes on", async () => {
  const page = "word ".repeat(100).trim();
  const replies: ScriptedReply[] = [
    ...Array.from({ length: 8 }, () => page),
    { failure: "not now" },
    page,
    page,
  ];
  const loop = { ...agent, policy: { contextTokensMax: 1_000 } };
  const chat = openChat({ replies, loop });
  await chat.start();
  for (let turn = 1; turn < 8; turn++) await chat.say(`w${turn}`);
  const stopped = chat.say("w8");
  await settle();
  await chat.world().put({ key: "stop", kind: "cancel", body: { by: "me", scope: "turn" } });
  for (let look = 0; look < 5; look++) {
    chat.world().clock.advance(300);
    await settle();
  }
  await stopped;
  await chat.say("w9");
  expect(new Set(await replayOf(chat.world()))).toEqual(new Set(["identical"]));
});

test("a grant without rounds left ends a run that goes on past its own", async () => {
  const chat = openChat({
    replies: Array.from({ length: 50 }, () => callLook),
    bounds: { onRoundsExhausted: "continue" },
    grant: { budget: { rounds: 6 } },
  });
  expect(await chat.start()).toBe("rounds-exhausted");
  const closed = await chat.world().contents("turn.closed");
  expect(closed.map(({ ranOut }) => ranOut)).toEqual([true, undefined]);
});

test("of two calls of one answer that share a thread, the second is not called", async () => {
  const helper: LoopDef = {
    ...{ id: "helper", name: "helper", version: "1.0.0", inputSchema: true, outputSchema: true },
    kind: "prompt",
    prompt: { template: "Help", variables: [], thread: true },
  };
  const loop: LoopDef = {
    ...agent,
    prompt: { template: "{{word}}", variables: ["word"], tools: [{ loopId: "helper" }] },
  };
  const call = { tool: "loop__helper", input: {} };
  const model = scriptedModel([{ toolCalls: [call, call] }, "helped", "done"]);
  const world = openWorld({ loop, loops: [helper], model, input: { word: "one" } });
  await world.start();
  expect(await world.end()).toBe("goal-reached");
  expect(model.requests.map(({ messages }) => messages.map(toLine))).toEqual([
    ["user: one"],
    ["user: Help"],
    [
      "user: one",
      "assistant: calls loop__helper calls loop__helper",
      'tool: {"text":"helped"}',
      'tool: {"error":"THREAD_IN_USE"}',
    ],
  ]);
});
