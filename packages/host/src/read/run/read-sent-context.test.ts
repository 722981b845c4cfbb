import { type ScriptedReply, scriptedModel } from "@turnseal/ports";
import type { LoopDef } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { ask, openWorld, RUN, type SampleWorld } from "../../scenarios/sample-world.test.data.ts";
import { readSentContext, type SentContext } from "./read-sent-context.ts";

const look: LoopDef = {
  ...{ id: "look", name: "look", version: "1.0.0", inputSchema: true, outputSchema: true },
  kind: "tool",
  tool: { implementation: "local.look" },
};
const agent: LoopDef = {
  ...ask,
  prompt: {
    ...{ template: "{{word}}", variables: ["word"], systemPrompt: "Be brief." },
    tools: [{ loopId: "look" }],
  },
};
const usage = { inputTokens: 70, outputTokens: 5 };
const callLook: ScriptedReply = { toolCalls: [{ tool: "local__look", input: {} }] };

/** A chat with these words, one turn after the other. */
async function talk(
  words: readonly string[],
  replies: readonly ScriptedReply[],
  loop = agent,
): Promise<SampleWorld> {
  const [word = "", ...more] = words;
  const world = openWorld({
    ...{ loop, loops: [look], model: scriptedModel(replies), input: { word } },
    bounds: { awaits: ["message"], nextInput: { word: "$.signals.message" }, turnsMax: 50 },
    tools: { "local.look": { effect: "read", run: async () => ({ seen: true }) } },
    grant: { tools: ["local.look"] },
  });
  await world.start();
  await world.end();
  for (const payload of more) {
    const body = { name: "message", payload, by: "me" };
    await world.put({ key: `signal:${payload}`, kind: "signal", body });
    await world.end();
  }
  return world;
}

function rowsOf(context: SentContext | undefined): unknown[] {
  return (context?.entries ?? []).map(({ number, role, by }) => [number, role, by]);
}

const by = "scripted/scripted";
const story = () => talk(["one", "two"], ["first", callLook, { text: "second", usage }]);

test("a request is told entry by entry: its number, its role, and who said it", async () => {
  const { stores } = await story();
  const context = await readSentContext(stores, RUN);
  expect(context).toMatchObject({ turn: 2, round: 2, thread: "/", leftOut: 0, billed: usage });
  expect(rowsOf(context)).toEqual([
    [null, "system", null],
    [0, "user", null],
    [1, "assistant", by],
    [2, "user", null],
    [3, "assistant", by],
    [4, "tool", "local__look"],
  ]);
  const tokens = context?.entries.map((entry) => entry.tokens ?? 0) ?? [];
  expect(Math.min(...tokens)).toBeGreaterThan(0);
  expect(context?.entries[3]?.message).toEqual({ role: "user", text: "two" });
});

test("a turn and a round can be named", async () => {
  const { stores } = await story();
  const first = await readSentContext(stores, RUN, { turn: 1 });
  expect(rowsOf(first)).toEqual([
    [null, "system", null],
    [0, "user", null],
  ]);
  const middle = await readSentContext(stores, RUN, { turn: 2, round: 1 });
  expect(rowsOf(middle).at(-1)).toEqual([2, "user", null]);
  expect(middle?.round).toBe(1);
});

test.each([
  ["another run", "00000000-0000-4000-8000-000000000000", {}],
  ["a turn that was not", RUN, { turn: 3 }],
  ["a round that was not", RUN, { turn: 1, round: 2 }],
  ["a round that the last turn did not have", RUN, { round: 3 }],
])("there is no request of %s", async (_, run, place) => {
  const { stores } = await story();
  expect(await readSentContext(stores, run, place)).toBeUndefined();
});

test("a round of no turn in particular is one of the last turn", async () => {
  const { stores } = await talk(["one", "two"], [callLook, "first", "second"]);
  expect(await readSentContext(stores, RUN, { round: 2 })).toBeUndefined();
  expect(await readSentContext(stores, RUN, { round: 1 })).toMatchObject({ turn: 2 });
});

test("what is left out is counted, and the numbers go on after it", async () => {
  const page = "word ".repeat(100).trim();
  const words = Array.from({ length: 12 }, (_, index) => `w${index}`);
  const loop = { ...agent, policy: { contextTokensMax: 1_000 } };
  const { stores } = await talk(words, Array(12).fill(page), loop);
  const context = await readSentContext(stores, RUN);
  expect(context?.leftOut).toBeGreaterThan(0);
  const numbers = (context?.entries ?? []).flatMap(({ number }) => number ?? []);
  expect(numbers).toEqual(numbers.map((_, index) => (context?.leftOut ?? 0) + index));
  expect(numbers.at(-1)).toBe(22);
  expect(context?.contextTokens).toBeLessThanOrEqual(1_000);
});

test("of an erased run it is known what there was, and not what it said", async () => {
  const { stores } = await story();
  await stores.blobs.erase(RUN);
  const context = await readSentContext(stores, RUN);
  expect(context?.entries).toHaveLength(6);
  for (const { message, tokens } of context?.entries ?? [])
    expect({ message, tokens }).toEqual({ message: null, tokens: null });
  expect(context?.billed).toEqual(usage);
});

test("any turn of a long run is found, with the words that it was sent", async () => {
  const words = Array.from({ length: 40 }, (_, index) => `w${index}`);
  const { stores } = await talk(words, words);
  for (const turn of [1, 2, 20, 40]) {
    const context = await readSentContext(stores, RUN, { turn });
    expect(context).toMatchObject({ turn, round: 1, entries: { length: turn * 2 } });
    expect(context?.entries.at(-1)?.message).toEqual({ role: "user", text: `w${turn - 1}` });
  }
});

test("notes stand at the end, as the model was sent them, and are no entry", async () => {
  const notes = [{ key: "task", text: "a" }];
  const prompt = { template: "{{word}}", variables: ["word"], notes };
  const { stores } = await talk(["one", "two"], ["first", "second"], { ...ask, prompt });
  const context = await readSentContext(stores, RUN);
  expect(rowsOf(context)).toEqual([
    [0, "user", null],
    [1, "assistant", by],
    [2, "user", null],
    [null, "user", "notes"],
  ]);
  const last = context?.entries.at(-1);
  expect(last?.message).toMatchObject({ text: expect.stringContaining(" begin\ntask: a\nnotes-") });
  expect(context?.leftOut).toBe(0);
});
