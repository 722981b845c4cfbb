import { applyEvent, emptyProjection } from "@turnseal/folds";
import {
  createMemorySigner,
  INBOX_READ_MAX,
  memoryStores,
  scriptedModel,
  systemClock,
} from "@turnseal/ports";
import type { RunBounds } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, notDone } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { dues } from "../../decide/dues.ts";
import { createLocalHost } from "../../local/local-host.ts";
import {
  crashAt,
  openWorld,
  pay,
  RUN,
  type SampleWorld,
  type SampleWorldOptions,
  settle,
} from "../sample-world.test.data.ts";

const awaits = ["message"];
const nextInput = { word: "$.signals.message" };

function openChat(options: SampleWorldOptions = {}): SampleWorld {
  const bounds: Partial<RunBounds> = { awaits, nextInput, turnsMax: 200, ...options.bounds };
  return openWorld({ ...options, bounds });
}

function say(world: SampleWorld, payload: string, name = "message"): Promise<unknown> {
  const body = { name, payload, by: "me" };
  return world.put({ key: `signal:${name}:${payload}`, kind: "signal", body });
}

/** The requests to the model, in order. */
const askedOf = (model: ReturnType<typeof scriptedModel>) =>
  model.requests.map(({ messages }) => (messages.at(-1) as { text: string }).text.trim());

async function turnsOf(world: SampleWorld): Promise<number> {
  return (await world.contents("turn.closed")).length;
}

test("the run waits after its turn, takes one turn for a signal, and waits again", async () => {
  const model = scriptedModel();
  const world = openChat({ model });
  await world.start();
  expect(await world.end()).toBe("wait");
  expect(await world.end()).toBe("wait");
  expect(await turnsOf(world)).toBe(1);
  await say(world, "more");
  expect(await world.end()).toBe("wait");
  expect(askedOf(model)).toEqual(["Say yes", "Say more"]);
  expect(await world.contents("run.decided")).toMatchObject([
    { decision: "continue", reason: "first-turn" },
    { decision: "wait", reason: "signal-awaited" },
    { decision: "continue", reason: "signal-received", signal: { name: "message" } },
    { decision: "wait", reason: "signal-awaited" },
  ]);
});

test("every signal is one turn, in the order in which they came, and none is lost", async () => {
  const model = scriptedModel();
  const world = openChat({ model });
  await world.start();
  await say(world, "early");
  expect(await world.end()).toBe("wait");
  const words = Array.from({ length: INBOX_READ_MAX + 5 }, (_, index) => `w${index}`);
  for (const word of words) await say(world, word);
  expect(await world.end()).toBe("wait");
  expect(askedOf(model)).toEqual(["yes", "early", ...words].map((word) => `Say ${word}`));
});

test("a turn reads the next signal, however many wait behind it", async () => {
  const readWith = async (waiting: number): Promise<number> => {
    let events = 0;
    const world = openChat({
      bounds: { turnsMax: 4 },
      see: (stores) => ({
        ...stores,
        log: {
          ...stores.log,
          read: async (...where) => {
            const page = await stores.log.read(...where);
            events += page.length;
            return page;
          },
        },
      }),
    });
    await world.start();
    for (let word = 0; word < waiting; word++) await say(world, `w${word}`);
    expect(await world.end()).toBe("turns-exhausted");
    return events;
  };
  expect(await readWith(600)).toBeLessThanOrEqual(2 * (await readWith(10)));
});

test("a decision names the signal that its turn begins with", async () => {
  const world = openChat();
  await world.start();
  await say(world, "a");
  await say(world, "b");
  await world.end();
  const events = await world.events();
  const signals = events.filter((event) => event.type === "signal.received");
  const named = (await world.contents("run.decided")).flatMap(({ signal }) => signal ?? []);
  expect(named).toMatchObject(signals.map(({ sequence }) => ({ sequence })));
});

test("a signal that comes during a turn counts", async () => {
  let end = (_: object): void => {};
  const run = () =>
    new Promise<object>((resume) => {
      end = resume;
    });
  const world = openChat({ loop: pay, tools: { "local.pay": { effect: "idempotent", run } } });
  await world.start();
  const advancing = world.end();
  await settle();
  await say(world, "meanwhile");
  end({});
  for (let look = 0; look < 5; look++) await settle();
  expect(await turnsOf(world)).toBe(1);
  expect(await world.contents("turn.started")).toHaveLength(2);
  end({});
  expect(await advancing).toBe("wait");
  expect(await turnsOf(world)).toBe(2);
});

test("another signal is recorded, and begins no turn", async () => {
  const world = openChat();
  await world.start();
  await world.end();
  await say(world, "x", "other");
  expect(await world.end()).toBe("wait");
  expect(await world.contents("signal.received")).toHaveLength(1);
  expect(await turnsOf(world)).toBe(1);
});

test("a word sent twice under one key is one turn", async () => {
  const world = openChat();
  await world.start();
  await world.end();
  await say(world, "once");
  await say(world, "once");
  await world.end();
  await say(world, "once");
  expect(await world.end()).toBe("wait");
  expect(await turnsOf(world)).toBe(2);
});

test.each([
  ["cancelled", {}, (world: SampleWorld) => world.put({ key: "c", kind: "cancel", body: {} })],
  [
    "deadline-passed",
    { deadlineAt: "2100-01-01T00:00:00.000Z" },
    async (world: SampleWorld) => world.clock.advance(200 * 365 * 86_400_000),
  ],
] as const)("a run that waits stops as %s, without another turn", async (reason, bounds, act) => {
  const world = openChat({ bounds });
  await world.start();
  await world.end();
  await act(world);
  expect(await world.end()).toBe(reason);
  expect(await turnsOf(world)).toBe(1);
});

test("it is looked at when its deadline comes, and not before", async () => {
  const deadlineAt = "2100-01-01T00:00:00.000Z";
  const world = openChat({ bounds: { deadlineAt } });
  await world.start();
  expect((await world.advance()).dues).toEqual({ kind: "wait", atMs: Date.parse(deadlineAt) });
  expect(await world.stores.runs.read(RUN)).toMatchObject({ dueAt: deadlineAt });
});

test("turnsMax turns are taken, and what comes later stays in the inbox", async () => {
  const world = openChat({ bounds: { turnsMax: 2 } });
  await world.start();
  await say(world, "a");
  await say(world, "b");
  expect(await world.end()).toBe("turns-exhausted");
  await say(world, "c");
  expect(await world.end()).toBe("turns-exhausted");
});

test("a goal that is reached ends the run", async () => {
  const goal = { path: "$.output.text", equals: "bye" } as const;
  const model = scriptedModel([{ text: "hello" }, { text: "bye" }]);
  const world = openChat({ model, bounds: { goal } });
  await world.start();
  expect(await world.end()).toBe("wait");
  await say(world, "a");
  await say(world, "b");
  expect(await world.end()).toBe("goal-reached");
  expect(await turnsOf(world)).toBe(2);
});

test("a turn that failed is tried again with the same signal, which is not lost", async () => {
  const words: unknown[] = [];
  const run = (input: unknown) => {
    words.push(input);
    if (words.length === 2) throw notDone("not now");
    return {};
  };
  const world = openChat({
    loop: pay,
    tools: { "local.pay": { effect: "idempotent", run } },
    bounds: { failuresMax: 2 },
  });
  await world.start();
  await say(world, "a");
  await say(world, "b");
  expect(await world.end()).toBe("wait");
  expect(words.slice(1)).toEqual([{ word: "a" }, { word: "a" }, { word: "b" }]);
});

test("a crash at any append loses no signal and takes none twice", async () => {
  for (let place = 1; place <= 14; place++) {
    for (const when of ["before", "after"] as const) {
      const model = scriptedModel();
      const options = { model };
      const broken = openChat({ ...options, see: crashAt(place, when) });
      await broken.start();
      await say(broken, "a");
      await broken.end().catch(() => {});
      const next = openChat({ ...options, after: broken });
      await say(next, "b");
      for (let look = 0; look < 3; look++) await next.end();
      expect((await next.advance()).dues, `${when} ${place}`).toEqual({ kind: "wait" });
      expect(await turnsOf(next)).toBe(3);
      const inputs = new Set(askedOf(model));
      expect([...inputs]).toEqual(["Say yes", "Say a", "Say b"]);
    }
  }
});

test("the state folds again from the log, and is owed the same", async () => {
  const world = openChat({ bounds: { turnsMax: 3 } });
  await world.start();
  await say(world, "a");
  await world.end();
  const advanced = await world.advance();
  const folded = (await world.events()).reduce(applyEvent, emptyProjection(RUN));
  expect("projection" in advanced ? advanced.projection : undefined).toEqual(folded);
  expect(dues(folded)).toEqual(advanced.dues);
});

const stopTurn = (turn: number) =>
  ({ key: `stop ${turn}`, kind: "cancel", body: { by: "me", turn } }) as const;

/** A tool that goes on until it is stopped. */
const endless = {
  effect: "read",
  run: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<object>((_resume, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason));
    }),
} as const;

async function stopMidway(options: SampleWorldOptions): Promise<[SampleWorld, string]> {
  const world = openWorld({ ...options, loop: pay, tools: { "local.pay": endless } });
  await world.start();
  const advancing = world.end();
  await settle();
  await world.put(stopTurn(1));
  for (let look = 0; look < 5; look++) {
    world.clock.advance(1_000);
    await settle();
  }
  return [world, await advancing];
}

test("a turn that is stopped ends alone: the run waits for the next signal", async () => {
  const bounds = { awaits, nextInput, failuresMax: 1, turnsMax: 9 };
  const [world, end] = await stopMidway({ bounds });
  expect(end).toBe("wait");
  expect(await world.contents("turn.closed")).toMatchObject([{ outcome: "cancelled" }]);
  expect(await world.contents("signal.received")).toMatchObject([
    { kind: "cancel", scope: "turn" },
  ]);
  await say(world, "again");
  const advancing = world.end();
  await settle();
  expect(await world.contents("turn.started")).toHaveLength(2);
  await world.put({ key: "all", kind: "cancel", body: { by: "me" } });
  for (let look = 0; look < 5; look++) {
    world.clock.advance(1_000);
    await settle();
  }
  expect(await advancing).toBe("cancelled");
});

test("a run that awaits nothing ends with the turn that is stopped", async () => {
  const [, end] = await stopMidway({ bounds: { turnsMax: 9 } });
  expect(end).toBe("cancelled");
});

test("a turn that is not open is not stopped, and neither is another", async () => {
  const world = openChat();
  await world.start();
  expect(await world.end()).toBe("wait");
  await world.put(stopTurn(1));
  await world.put(stopTurn(2));
  expect(await world.end()).toBe("wait");
  await say(world, "more");
  expect(await world.end()).toBe("wait");
  expect(await turnsOf(world)).toBe(2);
  const refused = { kind: "refused", of: "cancel", why: "that turn is not open" };
  expect(await world.contents("signal.received")).toMatchObject([refused, refused, {}]);
});

test("the first turn that is tried again has the run's input", async () => {
  const cutOff = { content: [{ kind: "text", text: "fi" }], finishReason: "length" } as const;
  const model = scriptedModel([cutOff, "fine"]);
  const world = openChat({ model, bounds: { failuresMax: 3 } });
  await world.start();
  expect(await world.end()).toBe("wait");
  expect(new Set(askedOf(model))).toEqual(new Set(["Say yes"]));
  expect(await world.contents("turn.closed")).toMatchObject([
    { outcome: "failed" },
    { outcome: "completed" },
  ]);
});

test("a message whose model runs out of rounds is given up, and the next is answered", async () => {
  const wish = { tool: "local__look", input: {} };
  const model = scriptedModel([{ toolCalls: [wish] }, { toolCalls: [wish] }, '{"text":"b"}']);
  const look = defineTool({
    ...{ id: "look", version: "1.0.0", effect: "read", build: "t" },
    input: jsonSchema<object>({ type: "object" }),
    output: jsonSchema<string>({ type: "string" }),
    run: () => "seen",
  });
  const text = jsonSchema<{ readonly text: string }>({
    ...{ type: "object", required: ["text"] },
    properties: { text: { type: "string" } },
  });
  const chat = definePrompt({
    ...{ id: "chat", version: "1.0.0", input: text, output: text, template: "{{text}}" },
    ...{ tools: [look], maxRounds: 2, backend: { id: "clerk" } },
  });
  const host = createLocalHost({
    ...{ loops: [chat], stores: memoryStores(systemClock), signer: await createMemorySigner() },
    models: { clerk: model },
  });
  const bounds = { awaits, nextInput: { text: "$.signals.message" } };
  const grant = { grantor: "ada", tools: ["local.look"], budget: {} };
  const first = await host.run(chat, { text: "a" }, { grant, bounds });
  expect(first).toMatchObject({ status: "waiting", failure: "BUDGET_EXCEEDED" });
  await host.signal(first.run, { key: "b", name: "message", payload: "b", by: "me" });
  const second = await host.resume(chat, first.run);
  expect(second).toMatchObject({ status: "waiting", output: { text: "b" } });
  expect(second).not.toHaveProperty("failure");
});
