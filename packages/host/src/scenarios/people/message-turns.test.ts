// Which turn takes a message: `signal` names the message, and the log says the turn.
import {
  type Model,
  ModelError,
  memoryStores,
  SAMPLE_CONTENTS,
  SAMPLE_DEFAULTS,
  sampleEvent,
  scriptedModel,
  systemClock,
} from "@turnseal/ports";
import type { JsonValue, LoopDef, RunBounds } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { clientOf, createRunClient, type RunClient } from "../../local/run-client.ts";
import { findMessage, MESSAGE_LOOK_BACK_MAX, readMessage } from "../../read/run/read-message.ts";
import { readContent } from "../../state/read-content.ts";
import {
  crashAt,
  openWorld,
  pay,
  RUN,
  type SampleWorld,
  type SampleWorldOptions,
  settle,
} from "../sample-world.test.data.ts";

const nextInput = { word: "$.signals.message" };

function openChat(options: SampleWorldOptions = {}): SampleWorld {
  const bounds: Partial<RunBounds> = { awaits: ["message"], nextInput, turnsMax: 50 };
  return openWorld({ ...options, bounds: { ...bounds, ...options.bounds } });
}

async function say(
  client: RunClient,
  payload: JsonValue,
  { key = String(payload), name = "message" } = {},
): Promise<string> {
  const told = await client.signal(RUN, { name, payload, key, by: "ada" });
  if (told.kind === "refused") throw new Error(told.reason);
  return told.message;
}

/** The word that a turn was about. */
async function wordOf({ stores, contents }: SampleWorld, turn: number): Promise<JsonValue> {
  const started = (await contents("turn.started"))[turn - 1];
  const input = started && (await readContent(stores, RUN, started.input));
  return (input as { readonly word: JsonValue }).word;
}

async function expectOwnTurns(
  world: SampleWorld,
  words: Readonly<Record<string, string>>,
): Promise<number[]> {
  const turns: number[] = [];
  for (const [word, message] of Object.entries(words)) {
    const state = await readMessage(world.stores, RUN, message);
    if (state?.kind !== "taken") throw new Error(`${word} is ${state?.kind}`);
    expect(await wordOf(world, state.turn)).toBe(word);
    turns.push(state.turn);
  }
  return turns;
}

test("each of several messages during a turn has a turn of its own", async () => {
  let release: (() => void) | undefined;
  const answers = scriptedModel();
  const model: Model = {
    ...answers,
    generate: async (request) => {
      if (release === undefined)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return answers.generate(request);
    },
  };
  const world = openChat({ model });
  const client = clientOf(world.ports);
  await world.start();
  const driven = world.end();
  while (release === undefined) await settle();
  const words = {
    one: await say(client, "one"),
    two: await say(client, "two"),
    three: await say(client, "three"),
  };
  expect(await client.showMessage(RUN, words.one)).toBe(undefined);
  release();
  await driven;
  await world.end();
  expect(await expectOwnTurns(world, words)).toEqual([2, 3, 4]);
});

test("a message before the start of the run is taken in is followed, too", async () => {
  const world = openChat();
  await world.start();
  const early = await say(clientOf(world.ports), "early");
  expect(await world.end()).toBe("wait");
  expect(await expectOwnTurns(world, { early })).toEqual([2]);
});

test.each(["before", "after"] as const)(
  "a crash %s any append changes no answer, and the same message keeps its turn",
  async (when) => {
    for (const place of Array.from({ length: 13 }, (_, index) => index + 1)) {
      const first = openChat();
      await first.start();
      await first.end();
      const world = openChat({ after: first, see: crashAt(place, when) });
      const client = clientOf(world.ports);
      const [more, again] = [await say(client, "more"), await say(client, "again")];
      await world.end().catch(() => undefined);
      const seen = await client.showMessage(RUN, more);
      const next = openChat({ after: world });
      expect(await next.end()).toBe("wait");
      const turns = await expectOwnTurns(next, { more, again });
      if (seen?.kind === "taken") expect(turns[0]).toBe(seen.turn);
      expect(await say(clientOf(next.ports), "more")).toBe(more);
      expect(await next.end()).toBe("wait");
      expect(await expectOwnTurns(next, { more, again })).toEqual(turns);
    }
  },
);

test("turns that try earlier words again come first, and count", async () => {
  const [answers, provider] = [scriptedModel(), { isAway: true }];
  const model: Model = {
    ...answers,
    generate: (request) => {
      if (!provider.isAway) return answers.generate(request);
      throw new ModelError({ code: "MODEL_UNAUTHORIZED", retry: "pause", message: "no" });
    },
  };
  const world = openChat({ model });
  const client = clientOf(world.ports);
  await world.start();
  expect(await world.end()).toBe("wait");
  const more = await say(client, "more");
  // The message has the provider asked again, which is still away.
  expect(await world.end()).toBe("wait");
  expect(await client.showMessage(RUN, more)).toEqual({ kind: "queued" });
  provider.isAway = false;
  await client.retry(RUN, { by: "ada" });
  expect(await world.end()).toBe("wait");
  expect(await expectOwnTurns(world, { more })).toEqual([4]);
});

test("a wait of the running turn takes its message there", async () => {
  const wait = { kind: "wait", name: "a", for: { signal: "paid" } };
  const loop = {
    ...{ id: "flow", name: "flow", version: "1.0.0", inputSchema: true, outputSchema: true },
    ...{ kind: "composite", composite: { flow: { kind: "sequence", nodes: [wait] } } },
  } as unknown as LoopDef;
  const world = openWorld({ loop, loops: [pay] });
  const client = clientOf(world.ports);
  await world.start();
  expect(await world.end()).toBe("wait");
  const other = await say(client, "x", { name: "other" });
  const paid = await say(client, "y", { name: "paid" });
  await world.end();
  expect(await client.showMessage(RUN, paid)).toEqual({ kind: "taken", turn: 1 });
  expect(await client.showMessage(RUN, other)).toEqual({ kind: "recorded" });
});

describe("a message", () => {
  test("that was never sent has no state, and no message is refused without an id", async () => {
    const world = openChat();
    await world.start();
    await world.end();
    const client = clientOf(world.ports);
    expect(await client.showMessage(RUN, "signal:never")).toBe(undefined);
    expect(await client.showMessage("no-run", "signal:never")).toBe(undefined);
  });

  test("goes the way of its engine, and has the same id there", async () => {
    const put: string[] = [];
    const client = createRunClient({
      ...{ loops: [], stores: memoryStores(systemClock) },
      put: async ({ key }) => {
        put.push(key);
        return { kind: "stored" };
      },
    });
    const told = await client.signal(RUN, { name: "message", payload: 1, key: "k", by: "ada" });
    expect(told).toEqual({ kind: "stored", message: put[0] });
  });

  test("is found MESSAGE_LOOK_BACK_MAX events back, and not one further", async () => {
    const first = sampleEvent("signal.received", { ...SAMPLE_CONTENTS.signal, key: "k" });
    const others = sampleEvent("log", SAMPLE_DEFAULTS.log);
    const openLog = (events: number) => ({
      readHead: async () => ({ sequence: events, hash: "", epoch: 1 }),
      read: async (_: string, from: number, count = 0) =>
        Array.from({ length: Math.min(count, events + 1 - from) }, (__, index) =>
          from + index === 1 ? first : others,
        ),
    });
    const find = (events: number) => findMessage(openLog(events), { run: RUN, message: "k" });
    expect(await find(MESSAGE_LOOK_BACK_MAX)).toBe(1);
    expect(await find(MESSAGE_LOOK_BACK_MAX + 1)).toBe(undefined);
  });
});
