// The rest of a truncated output can be read in later turns, too, and other content cannot.
import { type Model, type ScriptedReply, scriptedModel } from "@turnseal/ports";
import type { JsonValue, LoopDef, ModelMessage, RunBounds } from "@turnseal/protocol";
import { outputReader } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { ask, openWorld, RUN } from "../sample-world.test.data.ts";

const fetch: LoopDef = {
  ...{ id: "fetch", name: "fetch", version: "1.0.0", inputSchema: true, outputSchema: true },
  kind: "tool",
  tool: { implementation: "local.fetch" },
};
const agent: LoopDef = {
  ...ask,
  prompt: {
    ...{ template: "{{word}}", variables: ["word"], maxRounds: 2 },
    tools: [{ loopId: "fetch" }, { loopId: "turnseal.output" }],
  },
};
const text = "0123456789".repeat(5_000);
const callFetch: ScriptedReply = { toolCalls: [{ tool: "local__fetch", input: {} }] };

type Answer = (told: readonly JsonValue[]) => ScriptedReply;

/** A chat whose every turn is made by another process; answers with what its tools told. */
function openReading(answers: readonly Answer[], bounds: Partial<RunBounds> = {}) {
  const told: JsonValue[] = [];
  let round = 0;
  const model: Model = {
    defaultModel: "scripted",
    generate: (request) => {
      told.splice(0, told.length, ...request.messages.flatMap(toResult));
      return scriptedModel([answers[round++]?.(told) ?? "done"]).generate(request);
    },
  };
  const options = {
    ...{ loop: agent, loops: [fetch, outputReader.definition], model },
    tools: { "local.fetch": { effect: "read" as const, run: async () => text } },
    grant: { tools: ["local.fetch", "turnseal.output"] },
    bounds: {
      ...{ awaits: ["message"], nextInput: { word: "$.signals.message" }, turnsMax: 20 },
      ...bounds,
    },
    input: { word: "one" },
  };
  let world = openWorld(options);
  const step = (): Promise<string> => {
    world = openWorld({ ...options, after: world });
    return world.end();
  };
  return {
    told,
    stores: () => world.stores,
    start: async () => {
      await world.start();
      return step();
    },
    say: async (payload: string) => {
      const body = { name: "message", payload, by: "me" };
      await world.put({ key: `signal:${payload}`, kind: "signal", body });
      return step();
    },
  };
}

function toResult(message: ModelMessage): JsonValue[] {
  return message.role === "tool" ? [message.result] : [];
}

function findHandle(told: readonly JsonValue[]): string {
  const shown = told.find((result) => JSON.stringify(result).includes('"handle"'));
  return (shown as { readonly handle: string }).handle;
}

const readOn: Answer = (told) => ({
  toolCalls: [{ tool: "turnseal__output", input: { handle: findHandle(told), from: 40_000 } }],
});
const end = { text: text.slice(40_000), from: 40_000, bytes: 50_000 };

test("a handle is read in a later turn, by another process", async () => {
  const chat = openReading([() => callFetch, () => "first", readOn, () => "second"]);
  await chat.start();
  await chat.say("two");
  expect(chat.told.at(-1)).toEqual(end);
});

test("a handle that was shown last in a turn without rounds left is read in the next", async () => {
  const chat = openReading([() => callFetch, () => callFetch, readOn, () => "done"], {
    onRoundsExhausted: "continue",
  });
  await chat.start();
  expect(chat.told.at(-1)).toEqual(end);
});

test("what somebody else says is no handle, though it is the digest of something", async () => {
  const digests: string[] = [];
  const guess: Answer = () => ({
    toolCalls: digests.map((handle) => ({ tool: "turnseal__output", input: { handle } })),
  });
  const chat = openReading([() => "first", guess, () => "second"]);
  await chat.start();
  for (const event of await chat.stores().log.read(RUN, 1))
    for (const [digest] of JSON.stringify(event.content).matchAll(/hmac-sha256:[0-9a-f]{64}/g))
      if (!digests.includes(digest)) digests.push(digest);
  expect(digests.length).toBeGreaterThan(3);
  await chat.say("two");
  const results = chat.told.slice(-digests.length);
  expect(results).toHaveLength(digests.length);
  for (const result of results) expect(result).toMatchObject({ error: "TOOL_FAILED" });
});
