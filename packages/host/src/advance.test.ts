import { scriptedModel } from "@turnseal/ports";
import { checkChain, EMPTY_HEAD } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { SLICE_MS_DEFAULT } from "./advance.ts";
import type { Progress } from "./decide/advanced.ts";
import { crashAt, openWorld, pay, RUN, settle } from "./scenarios/sample-world.test.data.ts";

const goal = { path: "$.output.text", equals: "third" } as const;

test("a run takes turns to its goal; each receipt names the one before", async () => {
  const world = openWorld({ model: scriptedModel(["first", "second", "third"]), bounds: { goal } });
  await world.start();
  expect(await world.end()).toBe("goal-reached");
  const receipts = await world.stores.receipts.list(RUN, 1);
  expect(receipts.map(({ turn }) => turn)).toEqual([1, 2, 3]);
  const started = await world.contents("turn.started");
  expect(started.map(({ previousReceipt }) => previousReceipt)).toEqual([
    null,
    receipts[0]?.id,
    receipts[1]?.id,
  ]);
  expect(checkChain(RUN, EMPTY_HEAD, await world.events()).kind).toBe("intact");
  expect(await world.contents("run.decided")).toMatchObject([
    { decision: "continue", reason: "first-turn" },
    { decision: "continue", reason: "goal-not-reached" },
    { decision: "continue", reason: "goal-not-reached" },
    { decision: "stop", reason: "goal-reached" },
  ]);
});

test("a turn is reported after it is durable, and a stop after its event is", async () => {
  const world = openWorld();
  await world.start();
  const told: string[] = [];
  const onProgress = (progress: Progress): void => {
    told.push(progress.kind === "turn" ? `turn ${progress.turn}` : progress.reason);
    expect(progress.projection.turns).toBe(1);
  };
  await world.advance({ onProgress });
  expect(told).toEqual(["turn 1", "goal-reached"]);
});

test("nothing is reported when the append that closes a turn fails", async () => {
  const world = openWorld({ see: crashAt(2) });
  await world.start();
  const told: Progress[] = [];
  await expect(world.advance({ onProgress: (one) => told.push(one) })).rejects.toThrow("crash");
  expect(told).toEqual([]);
});

test("a second look at a run that has stopped writes nothing and does nothing", async () => {
  const model = scriptedModel();
  const world = openWorld({ model });
  await world.start();
  await world.advance();
  const before = await world.events();
  expect(await world.advance()).toMatchObject({ dues: { kind: "done" } });
  expect(await world.events()).toEqual(before);
  expect(model.requests).toHaveLength(1);
});

test("a run that nobody started waits, and nothing is written", async () => {
  const world = openWorld();
  expect(await world.advance()).toMatchObject({ dues: { kind: "wait" } });
  expect(await world.events()).toEqual([]);
});

test("a slice starts no turn once it is over, but always one", async () => {
  const scripted = scriptedModel();
  const world = openWorld({
    bounds: { goal },
    model: {
      ...scripted,
      generate: (request) => {
        world.clock.advance(20);
        return scripted.generate(request);
      },
    },
  });
  await world.start();
  expect(await world.advance({ sliceMs: 0 })).toMatchObject({ dues: { kind: "continue" } });
  expect(await world.contents("turn.closed")).toHaveLength(1);
  await world.advance({ sliceMs: 40 });
  expect(await world.contents("turn.closed")).toHaveLength(3);
});

test("a slice is SLICE_MS_DEFAULT long where nobody says", async () => {
  const scripted = scriptedModel();
  const world = openWorld({
    bounds: { goal },
    model: {
      ...scripted,
      generate: (request) => {
        world.clock.advance(SLICE_MS_DEFAULT / 2);
        return scripted.generate(request);
      },
    },
  });
  await world.start();
  await world.advance();
  expect(await world.contents("turn.closed")).toHaveLength(2);
});

test("what was decided about a turn is decided once", async () => {
  const world = openWorld({ bounds: { goal } });
  await world.start();
  await world.advance({ sliceMs: 0 });
  expect(await world.contents("run.decided")).toHaveLength(1);
  // The worker that goes on records that it does, with the first event that it appends.
  await world.advance({ sliceMs: 0 });
  expect(await world.contents("run.decided")).toHaveLength(2);
  expect(await world.contents("turn.started")).toHaveLength(2);
});

test("two workers at once: one goes on, the other is fenced", async () => {
  const keys: string[] = [];
  const world = openWorld({
    loop: pay,
    tools: {
      "local.pay": {
        effect: "idempotent",
        run: async (_, { key }) => {
          keys.push(key);
          await settle();
          return {};
        },
      },
    },
  });
  await world.start();
  const told: string[] = [];
  const look = (name: string): Promise<unknown> =>
    world.advance({ onProgress: ({ kind }) => told.push(`${name} ${kind}`) });
  const results = await Promise.allSettled([look("one"), look("two")]);
  const lost = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(lost).toMatchObject([{ code: "LOG_FENCED" }]);
  const winner = results[0]?.status === "fulfilled" ? "one" : "two";
  expect(told).toEqual([`${winner} turn`, `${winner} stopped`]);
  expect(keys).toHaveLength(1);
});

test("a worker that loses its epoch while it acts reports nothing", async () => {
  const keys: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const world = openWorld({
    loop: pay,
    tools: {
      "local.pay": {
        effect: "idempotent",
        run: async (_, { key }) => {
          keys.push(key);
          if (keys.length === 1) await held;
          return { paid: true };
        },
      },
    },
  });
  await world.start();
  const told: Progress[] = [];
  const zombie = world.advance({ onProgress: (progress) => told.push(progress) });
  zombie.catch(() => {});
  await settle();
  expect(await world.end()).toBe("goal-reached");
  const before = await world.events();
  release();
  await expect(zombie).rejects.toMatchObject({ code: "LOG_FENCED" });
  expect(told).toEqual([]);
  expect(await world.events()).toEqual(before);
  expect(new Set(keys).size).toBe(1);
});

test("a snapshot that a successor wrote is no reason to call the log stale", async () => {
  let isFirst = true;
  const world = openWorld({
    see: (stores) => ({
      ...stores,
      runs: {
        ...stores.runs,
        read: async (run) => {
          if (isFirst) {
            isFirst = false;
            // Another worker carries the run to its end in the meantime.
            await world.advance();
          }
          return stores.runs.read(run);
        },
      },
    }),
  });
  await world.start();
  await expect(world.advance()).rejects.toMatchObject({ code: "LOG_FENCED" });
});

test("a turn that waits is left alone until its time: no look counts as a resume", async () => {
  const world = openWorld({
    loop: pay,
    tools: { "local.pay": { effect: "once", run: () => ({}) } },
    bounds: { resumesMax: 2 },
    see: crashAt(2),
  });
  await world.start();
  await expect(world.advance()).rejects.toThrow("crash");
  const { dues } = await world.advance();
  expect(dues.kind).toBe("wake");
  const before = await world.events();
  for (let look = 0; look < 10; look++) expect((await world.advance()).dues).toEqual(dues);
  expect(await world.events()).toEqual(before);
  world.clock.advance(60_000);
  for (let look = 0; look < 10; look++)
    expect((await world.advance()).dues).toEqual({ kind: "wait" });
});

test("a cancel ends a turn that waits for a person", async () => {
  const world = openWorld({
    loop: pay,
    tools: { "local.pay": { effect: "once", run: () => ({}) } },
    see: crashAt(2),
  });
  await world.start();
  await expect(world.advance()).rejects.toThrow("crash");
  world.clock.advance(60_000);
  expect(await world.end()).toBe("wait");
  await world.put({ key: "c", kind: "cancel", body: { by: "me" } });
  expect(await world.end()).toBe("cancelled");
});

test("a worker that does not speak a turn's semantics says so once, and does nothing", async () => {
  const world = openWorld({
    see: (stores) => ({
      ...crashAt(2)(stores),
      log: {
        ...crashAt(2)(stores).log,
        read: async (...place) =>
          (await stores.log.read(...place)).map((event) =>
            event.type === "turn.started"
              ? { ...event, content: { ...event.content, semantics: 99 } }
              : event,
          ),
      },
    }),
  });
  await world.start();
  await expect(world.advance()).rejects.toThrow("crash");
  const before = await world.stores.log.read(RUN, 1);
  for (let look = 0; look < 5; look++) expect(await world.end()).toBe("unspoken");
  const after = await world.stores.log.read(RUN, 1);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length)).toMatchObject([
    { type: "run.blocked", content: { cause: "unspoken", what: "semantics 99" } },
  ]);
});

test("a run whose content was erased is blocked", async () => {
  const world = openWorld({ bounds: { goal } });
  await world.start();
  await world.advance({ sliceMs: 0 });
  await world.stores.blobs.erase(RUN);
  expect(await world.end()).toBe("content-erased");
});

test("a turn after a failed one is a turn of its own, up to failuresMax in a row", async () => {
  const acts: number[] = [];
  const world = openWorld({
    loop: pay,
    tools: {
      "local.pay": () => {
        acts.push(1);
        throw notDone("no");
      },
    },
    bounds: { failuresMax: 3 },
  });
  await world.start();
  expect(await world.end()).toBe("failed");
  expect(acts).toHaveLength(3);
  expect(await world.stores.receipts.list(RUN, 1)).toHaveLength(3);
});

test("a deadline is judged by a time that never goes backwards", async () => {
  const world = openWorld({
    bounds: { goal, deadlineAt: "2026-01-01T00:00:10.000Z" },
  });
  await world.start();
  world.clock.advance(9_999);
  await world.advance({ sliceMs: 0 });
  expect(await world.contents("turn.closed")).toHaveLength(1);
  world.clock.advance(1);
  await world.put({ key: "s", kind: "signal", body: { name: "note", payload: 1 } });
  world.clock.jump(world.clock.now() - 5_000);
  // The log knows no later time than the first turn: the clock decides, and there is room for more.
  await world.advance({ sliceMs: 0 });
  expect(await world.contents("turn.closed")).toHaveLength(2);
  world.clock.advance(5_000);
  expect(await world.end()).toBe("deadline-passed");
});
