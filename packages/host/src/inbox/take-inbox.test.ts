import { INBOX_CANCELS_MAX, INBOX_READ_MAX, scriptedModel } from "@turnseal/ports";
import { expect, test } from "vitest";
import { advance } from "../advance.ts";
import {
  crashAt,
  openWorld,
  pay,
  RUN,
  type SampleWorld,
  settle,
} from "../scenarios/sample-world.test.data.ts";

const goal = { path: "$.output.text", equals: "never" } as const;

test("the same start twice is one run, and another start under its key is refused", async () => {
  const world = openWorld();
  expect(await world.start()).toEqual({ kind: "stored" });
  expect(await world.start()).toEqual({ kind: "known" });
  const other = { key: "start", kind: "start", body: { spec: {}, input: "other" } } as const;
  expect(await world.put(other)).toEqual({ kind: "refused", reason: "other-message" });
  await world.advance();
  expect(await world.contents("run.started")).toHaveLength(1);
});

test("a second start under another key changes nothing, and is noted", async () => {
  const world = openWorld();
  await world.start();
  await world.put({ key: "again", kind: "start", body: { spec: { loop: "other" }, input: {} } });
  expect(await world.end()).toBe("goal-reached");
  expect(await world.contents("run.started")).toHaveLength(1);
  expect(await world.contents("signal.received")).toMatchObject([{ kind: "refused", of: "start" }]);
});

test("a row is taken in once, also when the worker dies after the append", async () => {
  const world = openWorld({ see: crashAt(1, "after") });
  await world.start();
  await world.put({ key: "s", kind: "signal", body: { name: "note", payload: 1, by: "me" } });
  await expect(world.advance()).rejects.toThrow("crash");
  expect(await world.end()).toBe("goal-reached");
  expect(await world.contents("run.started")).toHaveLength(1);
  expect(await world.contents("signal.received")).toHaveLength(1);
});

test("a start alone is written with the first claim, and a crash before leaves it", async () => {
  const world = openWorld({ see: crashAt(1) });
  await world.start();
  await expect(world.advance()).rejects.toThrow("crash");
  expect(await world.events()).toEqual([]);
  expect(await world.stores.inbox.peek(RUN)).toHaveLength(1);
  const appended: string[][] = [];
  const { log } = world.stores;
  const append: typeof log.append = (batch) => {
    appended.push(batch.events.map(({ type }) => type));
    return log.append(batch);
  };
  const stores = { ...world.stores, log: { ...log, append } };
  await advance(RUN, { ...world.ports, stores });
  expect(appended[0]).toEqual(expect.arrayContaining(["run.started", "action.claimed"]));
  expect(await world.contents("run.started")).toHaveLength(1);
  expect(await world.stores.inbox.peek(RUN)).toEqual([]);
});

test("a row that was taken in and is sent again is known, and not taken in again", async () => {
  const world = openWorld({ bounds: { goal } });
  await world.start();
  const signal = { key: "s", kind: "signal", body: { name: "note", payload: 1 } } as const;
  await world.put(signal);
  await world.advance({ sliceMs: 0 });
  expect(await world.put(signal)).toEqual({ kind: "known" });
  await world.advance();
  expect(await world.contents("signal.received")).toHaveLength(1);
});

test("a signal is recorded, its payload only by digest, and it is in no prompt", async () => {
  const model = scriptedModel();
  const world = openWorld({ model, bounds: { goal, turnsMax: 3 } });
  await world.start();
  const body = { name: "note", payload: "hidden words", by: "me" };
  await world.put({ key: "s", kind: "signal", body });
  expect(await world.end()).toBe("turns-exhausted");
  const [signal] = await world.contents("signal.received");
  expect(signal).toMatchObject({ kind: "signal", name: "note" });
  expect(JSON.stringify(await world.events())).not.toContain("hidden words");
  expect(JSON.stringify(model.requests)).not.toContain("hidden words");
});

test("a signal that a mapping names reaches the next turn, and only then", async () => {
  const model = scriptedModel();
  const world = openWorld({
    model,
    bounds: { goal, turnsMax: 2, nextInput: { word: "$.input.word", note: "$.signals.note" } },
  });
  await world.start();
  await world.put({ key: "s", kind: "signal", body: { name: "note", payload: "quickly" } });
  expect(await world.end()).toBe("turns-exhausted");
  const prompts = model.requests.map(({ messages }) => messages.at(-1));
  expect(prompts).toMatchObject([{ text: "Say yes " }, { text: "Say yes quickly" }]);
});

/** A run that waits for a person to say what became of a payment. */
async function openUnknown(): Promise<{
  world: SampleWorld;
  body: Record<string, string>;
  acts: number[];
}> {
  const acts: number[] = [];
  const world = openWorld({
    loop: pay,
    tools: {
      "local.pay": {
        effect: "once",
        run: () => {
          acts.push(1);
          return {};
        },
      },
    },
    see: crashAt(2),
  });
  await world.start();
  await expect(world.advance()).rejects.toThrow("crash");
  world.clock.advance(60_000);
  const asked = await world.advance();
  const claim = "projection" in asked ? asked.projection.openTurn?.open[0] : undefined;
  expect(asked.dues).toEqual({ kind: "wait" });
  const body = { key: claim?.key ?? "", claimHash: claim?.hash ?? "", by: "me" };
  return { world, body, acts };
}

test("a person's word resolves the claim it is about, and says who spoke", async () => {
  const { world, body, acts } = await openUnknown();
  const word = { ...body, resolution: "happened", result: { paid: true } };
  await world.put({ key: "r", kind: "resolve", body: word });
  expect(await world.end()).toBe("goal-reached");
  const resolved = (await world.events()).find((event) => event.type === "action.resolved");
  expect(resolved).toMatchObject({ actor: { kind: "person", id: "me" }, turn: 1 });
  expect(resolved?.content).toMatchObject({ resolution: "happened", claimHash: body["claimHash"] });
  expect(acts).toHaveLength(1);
});

test.each([
  ["another key", { key: "other" }],
  ["another claim", { claimHash: "other" }],
])("a word about %s is noted and changes nothing", async (_, change) => {
  const { world, body, acts } = await openUnknown();
  const word = { ...body, resolution: "retry", ...change };
  await world.put({ key: "r", kind: "resolve", body: word });
  expect(await world.end()).toBe("wait");
  expect(await world.contents("action.resolved")).toEqual([]);
  expect((await world.contents("signal.received")).at(-1)).toMatchObject({
    kind: "refused",
    of: "resolve",
  });
  expect(acts).toHaveLength(1);
});

test("a second word about the same claim is noted and changes nothing", async () => {
  const { world, body, acts } = await openUnknown();
  await world.put({ key: "r1", kind: "resolve", body: { ...body, resolution: "retry" } });
  await world.put({ key: "r2", kind: "resolve", body: { ...body, resolution: "retry" } });
  expect(await world.end()).toBe("goal-reached");
  expect(await world.contents("action.resolved")).toHaveLength(1);
  expect(acts).toHaveLength(2);
});

test("a cancel reaches an act in flight, other rows wait until the turn is over", async () => {
  const world = openWorld({
    loop: pay,
    tools: { "local.pay": { effect: "idempotent", run: () => new Promise(() => {}) } },
  });
  await world.start();
  const advancing = world.end();
  await settle();
  await world.put({ key: "s", kind: "signal", body: { name: "note", payload: 1 } });
  world.clock.advance(200);
  await settle();
  expect(await world.contents("signal.received")).toEqual([]);
  await world.put({ key: "c", kind: "cancel", body: { by: "me" } });
  world.clock.advance(200);
  expect(await advancing).toBe("cancelled");
  const kinds = (await world.contents("signal.received")).map(({ kind }) => kind);
  expect(kinds).toEqual(["cancel", "signal"]);
});

test("a cancel of a run that has stopped stays where it is", async () => {
  const world = openWorld();
  await world.start();
  expect(await world.end()).toBe("goal-reached");
  const before = await world.events();
  await world.put({ key: "c", kind: "cancel", body: { by: "me" } });
  expect(await world.end()).toBe("goal-reached");
  expect(await world.events()).toEqual(before);
});

test("a flood of signals holds a cancel up for no longer than it takes to read them", async () => {
  const world = openWorld({
    loop: pay,
    tools: { "local.pay": { effect: "idempotent", run: () => new Promise(() => {}) } },
  });
  await world.start();
  const advancing = world.end();
  await settle();
  for (let index = 0; index < INBOX_READ_MAX; index++)
    await world.put({ key: `s${index}`, kind: "signal", body: { name: "note", payload: index } });
  await world.put({ key: "c", kind: "cancel", body: { by: "me" } });
  for (let look = 0; look < 3; look++) {
    world.clock.advance(200);
    await settle();
  }
  expect(await advancing).toBe("cancelled");
});

test("whoever watches for a cancel reads no other row, however many wait", async () => {
  const looks: unknown[] = [];
  const world = openWorld({
    loop: pay,
    tools: { "local.pay": { effect: "idempotent", run: () => new Promise(() => {}) } },
    see: (stores) => ({
      ...stores,
      inbox: {
        ...stores.inbox,
        peek: (run, kind) => {
          looks.push(kind);
          return stores.inbox.peek(run, kind);
        },
      },
    }),
  });
  await world.start();
  const advancing = world.end();
  await settle();
  for (let index = 0; index < INBOX_READ_MAX; index++)
    await world.put({ key: `s${index}`, kind: "signal", body: { name: "note", payload: index } });
  looks.length = 0;
  for (let look = 0; look < 5; look++) {
    world.clock.advance(200);
    await settle();
  }
  expect(looks).toEqual([]);
  await world.put({ key: "c", kind: "cancel", body: { by: "me" } });
  world.clock.advance(200);
  await settle();
  expect(looks[0]).toBe("cancel");
  expect(await advancing).toBe("cancelled");
});

test("cancels of turns that are over never keep one out that counts", async () => {
  const world = openWorld({
    loop: pay,
    tools: { "local.pay": { effect: "idempotent", run: () => new Promise(() => {}) } },
  });
  await world.start();
  const advancing = world.end();
  await settle();
  for (let index = 0; index < INBOX_CANCELS_MAX; index++)
    await world.put({ key: `old${index}`, kind: "cancel", body: { by: "me", turn: 7 } });
  world.clock.advance(200);
  await settle();
  expect(await world.put({ key: "c", kind: "cancel", body: { by: "me" } })).toEqual({
    kind: "stored",
  });
  world.clock.advance(200);
  expect(await advancing).toBe("cancelled");
});
