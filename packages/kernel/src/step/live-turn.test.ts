import { type LiveBus, type Model, scriptedModel } from "@turnseal/ports";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { ANSWER_BYTES_MAX } from "../limits.ts";
import { crashAt, openRun } from "../turn/sample-run.test.data.ts";
import { createLiveTurn } from "./live-turn.ts";

function listen(): { readonly deltas: LiveDelta[]; readonly live: LiveBus } {
  const deltas: LiveDelta[] = [];
  const refuse = (): never => {
    throw new Error("a turn only publishes");
  };
  const publish = (delta: LiveDelta): void => void deltas.push(delta);
  return { deltas, live: { publish, moved: refuse, finish: refuse, watch: refuse } };
}

const signal = new AbortController().signal;

test("what is told, joined, is what the log keeps, under the key of its action", async () => {
  const { deltas, live } = listen();
  const content = [
    { kind: "reasoning", text: "let me think" },
    { kind: "text", text: "here it is" },
  ] as const;
  const run = openRun({ loops: [promptLoop("ask")], model: scriptedModel([{ content }]), live });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  const [claim] = await run.contents("action.claimed");
  for (const [part, { kind, text }] of content.entries()) {
    const told = deltas.filter((delta) => delta.part === part);
    expect(told.length).toBeGreaterThan(1);
    expect(told.map((delta) => delta.text).join("")).toBe(text);
    expect(told.map(({ offset }) => offset)).toEqual(
      told.map((_, index) =>
        told.slice(0, index).reduce((sum, delta) => sum + delta.text.length, 0),
      ),
    );
    for (const delta of told)
      expect(delta).toMatchObject({ kind, key: claim?.key, turn: 1, epoch: 1 });
  }
});

test("without a bus nobody is watched, so that nothing streams", async () => {
  const model = scriptedModel(["yes"]);
  await openRun({ loops: [promptLoop("ask")], model }).turn();
  expect(model.requests[0]).not.toHaveProperty("onDelta");
});

test("what is recorded is not told again; a new attempt says so by its epoch", async () => {
  const { deltas, live } = listen();
  const run = openRun({
    loops: [
      promptLoop("agent", {
        prompt: { template: "Go", variables: [], tools: [{ loopId: "look" }] },
      }),
      toolLoop("look"),
    ],
    model: scriptedModel([
      {
        content: [
          { kind: "text", text: "one" },
          { kind: "tool-call", toolCallId: "a", toolName: "local__look", input: "{}" },
        ],
      },
      "two",
      "two",
    ]),
    tools: { "local.look": { effect: "read", run: () => ({}) } },
    live,
    beforeAppend: crashAt(4),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "two" } });
  const told = deltas.map(({ text, epoch }) => [text, epoch]);
  expect(told).toEqual([
    ["one", 1],
    ["two", 1],
    ["two", 2],
  ]);
  expect(new Set(deltas.slice(1).map(({ key }) => key)).size).toBe(1);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("away");
    },
  ],
] as const)("a bus that %s changes nothing", async (_, publish) => {
  const { live } = listen();
  const run = openRun({
    loops: [promptLoop("ask")],
    model: scriptedModel(["yes"]),
    live: { ...live, publish },
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "yes" } });
});

test("after its end, a model that goes on talking is not heard", async () => {
  const { deltas, live } = listen();
  let say = (_: string): void => {};
  const model: Model = {
    defaultModel: "chatty",
    generate: async ({ onDelta, ...request }) => {
      say = (text) => onDelta?.({ kind: "text", part: 0, text });
      return scriptedModel(["yes"]).generate(request);
    },
  };
  const run = openRun({ loops: [promptLoop("ask")], model, live });
  await run.turn();
  say("late");
  expect(deltas).toEqual([]);
});

test("nothing is told after the abort, of nothing, or of what is no text", () => {
  const { deltas, live } = listen();
  const turn = createLiveTurn(live, { run: "r", turn: 1 });
  const message = { kind: "text", part: 0 } as const;
  const aborted = turn.open({ key: "k", epoch: 1, signal: AbortSignal.abort() });
  aborted.write(message, "late");
  const open = turn.open({ key: "k", epoch: 1, signal });
  open.write(message, "");
  open.write(message, 7 as unknown as string);
  expect(deltas).toEqual([]);
});

test("up to ANSWER_BYTES_MAX is told of one answer, and nothing past it", () => {
  const { deltas, live } = listen();
  const writer = createLiveTurn(live, { run: "r", turn: 1 }).open({ key: "k", epoch: 1, signal });
  writer.write({ kind: "reasoning", part: 0 }, "x".repeat(ANSWER_BYTES_MAX - 1));
  writer.write({ kind: "text", part: 1 }, "y");
  writer.write({ kind: "text", part: 1 }, "z");
  expect(deltas.map(({ text }) => text.at(-1))).toEqual(["x", "y"]);
});
