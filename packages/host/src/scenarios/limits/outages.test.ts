/** A provider that is away is waited for, and ends no run (spec/run.md §1.12). */

import { OUTAGE_PAUSE_MS, OUTAGE_PAUSE_MS_MAX } from "@turnseal/folds";
import { type Model, ModelError, scriptedModel } from "@turnseal/ports";
import {
  type JsonObject,
  type LoopDef,
  type ModelErrorCode,
  RETRY_FOR_MS_DEFAULT,
  RETRY_FOR_MS_MAX,
  type RunBounds,
} from "@turnseal/protocol";
import { findAwaitedProvider } from "@turnseal/views";
import { describe, expect, test } from "vitest";
import type { Advanced } from "../../decide/advanced.ts";
import { clientOf } from "../../local/run-client.ts";
import { retryMessage } from "../../messages/inbox-messages.ts";
import {
  ask,
  openWorld,
  pay,
  RUN,
  type SampleWorldOptions,
  settle,
} from "../sample-world.test.data.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

interface Failing {
  readonly code: ModelErrorCode;
  readonly retry: "retry" | "pause" | "never";
  readonly retryAfterMs?: number;
}

const unreachable: Failing = { code: "MODEL_UNREACHABLE", retry: "retry" };
const unauthorized: Failing = { code: "MODEL_UNAUTHORIZED", retry: "pause" };

interface Switch {
  /** How requests fail; undefined while they are answered. */
  failing: Failing | undefined;
  sent: number;
}

function openAway(
  failing: Failing | undefined,
  options: SampleWorldOptions & { answers?: Model } = {},
) {
  const { answers = scriptedModel(), ...given } = options;
  const provider: Switch = { failing, sent: 0 };
  const model: Model = {
    ...answers,
    generate: async (request) => {
      provider.sent += 1;
      if (provider.failing === undefined) return answers.generate(request);
      throw new ModelError({ ...provider.failing, message: "no" });
    },
  };
  const world = openWorld({ model, ...given });
  /** Lets time pass while a turn tries again in place. */
  const carry = async (): Promise<Advanced> => {
    let answer: Advanced | undefined;
    const carried = world.advance().then((advanced) => {
      answer = advanced;
    });
    for (let waited = 0; answer === undefined && waited < 600; waited++) {
      await settle();
      if (answer === undefined) world.clock.advance(100);
    }
    await carried;
    if (answer === undefined) throw new Error("it goes on for a minute");
    return answer;
  };
  const start = async (): Promise<Advanced> => {
    await world.start();
    return carry();
  };
  const waits = async () =>
    (await world.contents("run.decided")).filter(({ reason }) => reason === "provider-awaited");
  /** Of the last turn, with leave to repeat, unless said otherwise. */
  const retry = async (by = "ada", said: JsonObject = { again: true }) => {
    const { turns = 0 } = (await clientOf(world.ports).show(RUN)) ?? {};
    const body = { by, turn: turns, ...said };
    await world.put({ key: `retry:${by}`, kind: "retry", body });
  };
  return { ...world, provider, carry, start, waits, retry };
}

/** The wake time of a run. */
function wakeOf({ dues }: Advanced): number {
  if (dues.kind !== "wake") throw new Error(`it is owed ${dues.kind}`);
  return dues.atMs;
}

describe("while a provider is away", () => {
  test.each<[string, Failing]>([
    ["there is no connection", unreachable],
    ["it has too many requests", { code: "MODEL_RATE_LIMITED", retry: "retry" }],
    ["its servers fail", { code: "MODEL_UNAVAILABLE", retry: "retry" }],
    ["its connection is lost", { code: "MODEL_FAILED", retry: "retry" }],
    ["its answer breaks off", { code: "MODEL_ANSWER_BROKEN", retry: "retry" }],
  ])("since %s, the run waits, and goes on by itself", async (_, failing) => {
    const world = openAway(failing);
    const first = await world.start();
    const [closed] = (await world.events()).filter(({ type }) => type === "turn.closed");
    expect(wakeOf(first)).toBe(Date.parse(closed?.at ?? "") + OUTAGE_PAUSE_MS);
    const until = new Date(wakeOf(first)).toISOString();
    expect(await world.waits()).toMatchObject([{ decision: "wait", until }]);
    world.provider.failing = undefined;
    world.clock.advance(wakeOf(first) - world.clock.now() - 1);
    expect(await world.end()).toBe("wake");
    world.clock.advance(1);
    expect(await world.end()).toBe("goal-reached");
    expect(await world.contents("turn.closed")).toHaveLength(2);
  });

  test("pauses double up to OUTAGE_PAUSE_MS_MAX, and past turnsMax and failuresMax", async () => {
    const world = openAway(unreachable, { bounds: { turnsMax: 2, failuresMax: 1 } });
    let advanced = await world.start();
    const pauses: number[] = [];
    for (let tries = 0; tries < 6; tries++) {
      const pauseMs = wakeOf(advanced) - world.clock.now();
      pauses.push(pauseMs);
      world.clock.advance(pauseMs);
      advanced = await world.carry();
    }
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60].map((seconds) => seconds * SECOND_MS));
    expect(Math.max(...pauses)).toBe(OUTAGE_PAUSE_MS_MAX);
    world.provider.failing = undefined;
    world.clock.advance(OUTAGE_PAUSE_MS_MAX);
    expect(await world.end()).toBe("goal-reached");
  });

  test("a longer wish of the provider is kept, within the bound", async () => {
    const failing = { code: "MODEL_RATE_LIMITED", retry: "retry" } as const;
    const hours = { retryForMs: RETRY_FOR_MS_MAX };
    const world = openAway({ ...failing, retryAfterMs: 120 * MINUTE_MS }, { bounds: hours });
    const advanced = await world.start();
    expect(wakeOf(advanced)).toBe(world.clock.now() + 120 * MINUTE_MS);
    const short = openAway({ ...failing, retryAfterMs: 120 * MINUTE_MS });
    expect((await short.start()).dues).toEqual({ kind: "wait" });
  });

  test("the last try comes when retryForMs have passed, and then the run is parked", async () => {
    const world = openAway(unreachable, { bounds: { retryForMs: 12 * SECOND_MS } });
    let advanced = await world.start();
    const sinceMs = world.clock.now();
    world.clock.advance(wakeOf(advanced) - world.clock.now());
    advanced = await world.carry();
    expect(wakeOf(advanced)).toBe(sinceMs + 12 * SECOND_MS);
    world.clock.advance(wakeOf(advanced) - world.clock.now());
    expect((await world.carry()).dues).toEqual({ kind: "wait" });
    expect((await world.waits()).at(-1)).not.toHaveProperty("until");
    const { sent } = world.provider;
    world.clock.advance(RETRY_FOR_MS_DEFAULT);
    expect(await world.end()).toBe("wait");
    expect(world.provider.sent).toBe(sent);
  });

  test("with a bound of zero it is parked at once", async () => {
    const world = openAway(unreachable, { bounds: { retryForMs: 0 } });
    expect((await world.start()).dues).toEqual({ kind: "wait" });
  });

  test("what is not settled well for another reason is a failure as ever", async () => {
    for (const failing of [
      { code: "MODEL_NOT_FOUND", retry: "never" },
      { code: "MODEL_REFUSED", retry: "never" },
      { code: "MODEL_UNREACHABLE", retry: "never" },
      { code: "MODEL_UNAUTHORIZED", retry: "never" },
    ] as const) {
      const world = openAway(failing);
      await world.start();
      expect((await world.contents("run.stopped"))[0]).toEqual({ reason: "failed" });
    }
  });

  test("a provider that says nothing is away, too", async () => {
    const silent: Model = { ...scriptedModel(), generate: () => new Promise(() => {}) };
    const loop: LoopDef = { ...ask, policy: { timeoutMs: 2_000 } };
    const world = openAway(undefined, { answers: silent, loop });
    expect((await world.start()).dues.kind).toBe("wake");
    expect(await world.contents("turn.closed")).toMatchObject([{ outcome: "timed-out" }]);
  });

  test("so is one that says nothing to a filter of the prompt", async () => {
    const silent: Model = { ...scriptedModel(), generate: () => new Promise(() => {}) };
    const filter: LoopDef = {
      ...{ ...ask, id: "filter", policy: { timeoutMs: 2_000 } },
      prompt: { template: "May it pass?", variables: [] },
    };
    const loop: LoopDef = { ...ask, policy: { inputFilters: [{ loopId: "filter" }] } };
    const world = openAway(undefined, { answers: silent, loop, loops: [filter] });
    expect((await world.start()).dues.kind).toBe("wake");
    expect(await world.contents("turn.closed")).toMatchObject([{ outcome: "timed-out" }]);
  });

  test("the deadline of the run holds, waiting and parked", async () => {
    for (const failing of [unreachable, unauthorized]) {
      const clock = openWorld().clock.now();
      const deadlineAt = new Date(clock + 4 * SECOND_MS).toISOString();
      const world = openAway(failing, { bounds: { deadlineAt } });
      expect((await world.start()).dues).toMatchObject({ atMs: Date.parse(deadlineAt) });
      world.clock.advance(4 * SECOND_MS);
      expect(await world.end()).toBe("deadline-passed");
    }
  });

  test("a cancel ends the run, waiting and parked", async () => {
    for (const failing of [unreachable, unauthorized]) {
      const world = openAway(failing);
      await world.start();
      await world.put({ key: "c", kind: "cancel", body: { by: "ada" } });
      expect(await world.end()).toBe("cancelled");
    }
  });

  test("another kind of failure after it counts as the first", async () => {
    const world = openAway(unreachable, { bounds: { failuresMax: 2 } });
    const advanced = await world.start();
    world.provider.failing = { code: "MODEL_REFUSED", retry: "never" };
    world.clock.advance(wakeOf(advanced) - world.clock.now());
    await world.carry();
    expect(await world.contents("turn.closed")).toHaveLength(3);
    expect((await world.contents("run.stopped"))[0]).toEqual({ reason: "failed" });
  });
});

describe("a provider that lets nobody in", () => {
  test.each<[string, Failing]>([
    ["a wrong key", unauthorized],
    ["a missing package", { code: "MODEL_NOT_INSTALLED", retry: "pause" }],
  ])("parks the run at once: %s", async (_, failing) => {
    const world = openAway(failing);
    expect((await world.start()).dues).toEqual({ kind: "wait" });
    expect(world.provider.sent).toBe(1);
    world.clock.advance(RETRY_FOR_MS_MAX);
    expect(await world.end()).toBe("wait");
    expect(world.provider.sent).toBe(1);
  });

  test("is asked again when somebody says so, once for each word", async () => {
    const world = openAway(unauthorized);
    await world.start();
    await world.retry();
    expect((await world.carry()).dues).toEqual({ kind: "wait" });
    expect(world.provider.sent).toBe(2);
    world.provider.failing = undefined;
    await world.retry("bob");
    expect(await world.end()).toBe("goal-reached");
    expect(await world.contents("signal.received")).toMatchObject([
      { kind: "retry" },
      { kind: "retry" },
    ]);
  });
});

describe("a retry", () => {
  test("does not wait for the time, and begins the row of outages anew", async () => {
    const world = openAway(unreachable);
    world.clock.advance(wakeOf(await world.start()) - world.clock.now());
    const second = await world.carry();
    expect(wakeOf(second) - world.clock.now()).toBe(2 * OUTAGE_PAUSE_MS);
    await world.retry();
    const third = await world.carry();
    expect(wakeOf(third) - world.clock.now()).toBe(OUTAGE_PAUSE_MS);
  });

  test("is refused where no provider is waited for", async () => {
    const world = openWorld();
    await world.start();
    await world.put({ key: "retry", kind: "retry", body: { by: "ada" } });
    expect(await world.end()).toBe("goal-reached");
    expect(await world.contents("signal.received")).toMatchObject([
      { kind: "refused", of: "retry" },
    ]);
  });
});

describe("a turn that tries again", () => {
  const tools = { "local.pay": { effect: "once", run: () => ({ paid: true }) } } as const;
  const paying: LoopDef = {
    ...ask,
    prompt: { template: "Pay", variables: [], tools: [{ loopId: "pay" }] },
  };
  /** Answers, is away for three requests, and answers again. */
  const awayAfterPaying = () => {
    const model = scriptedModel([{ toolCalls: [{ tool: "local__pay", input: {} }] }, "done"]);
    const sent: unknown[] = [];
    const answers: Model = {
      ...model,
      generate: async (request) => {
        sent.push(request.messages);
        const isAway = sent.length > 1 && sent.length < 5;
        if (isAway) throw new ModelError({ ...unreachable, message: "no" });
        return model.generate(request);
      },
    };
    return { answers, sent };
  };

  test("goes on in its thread: what was done is not done again", async () => {
    const { answers, sent } = awayAfterPaying();
    const world = openAway(undefined, { loop: paying, loops: [pay], answers, tools });
    const advanced = await world.start();
    world.clock.advance(wakeOf(advanced) - world.clock.now());
    expect(await world.end()).toBe("goal-reached");
    expect(await world.contents("turn.started")).toMatchObject([{}, { continues: true }]);
    const claims = await world.contents("action.claimed");
    expect(claims.filter(({ action }) => action === "tool")).toHaveLength(1);
    expect(sent).toHaveLength(5);
    expect(sent.at(-1)).toEqual(sent.at(-2));
  });

  test("and would do something again is left to people", async () => {
    const prompt = { template: "Pay", variables: [], tools: [{ loopId: "pay" }], thread: false };
    const { answers } = awayAfterPaying();
    const loop: LoopDef = { ...ask, prompt };
    const world = openAway(undefined, { loop, loops: [pay], answers, tools });
    expect((await world.start()).dues).toEqual({ kind: "wait" });
    expect((await world.waits())[0]).not.toHaveProperty("until");
  });

  describe("and begins anew", () => {
    const order: LoopDef = {
      ...{ id: "order", name: "order", version: "1.0.0", inputSchema: true, outputSchema: true },
      kind: "composite",
      composite: {
        steps: ["pay", "ask"].map((loopId) => ({ loopId, inputMapping: {} })),
      },
    };
    const brief: LoopDef = { ...ask, prompt: { template: "Go", variables: [] } };
    const openOrder = (bounds: Partial<RunBounds>) => {
      const world = openAway(unreachable, { loop: order, loops: [pay, brief], tools, bounds });
      const paid = async () =>
        (await world.contents("action.claimed")).filter(({ action }) => action === "tool").length;
      return { ...world, paid };
    };

    test("pays for no signal again, and keeps each for its turn", async () => {
      const world = openOrder({ awaits: ["message"], turnsMax: 20 });
      expect((await world.start()).dues).toEqual({ kind: "wait" });
      for (const key of ["a", "b", "c"]) {
        const body = { name: "message", payload: key, by: "bob" };
        await world.put({ key, kind: "signal", body });
        expect((await world.carry()).dues).toEqual({ kind: "wait" });
      }
      expect([await world.paid(), world.provider.sent]).toEqual([1, 3]);
      // A person's word is for one time.
      await world.retry();
      expect((await world.carry()).dues).toEqual({ kind: "wait" });
      expect(await world.paid()).toBe(2);
      await world.put({ key: "d", kind: "signal", body: { name: "message", payload: "d" } });
      expect((await world.carry()).dues).toEqual({ kind: "wait" });
      expect(await world.paid()).toBe(2);
      world.provider.failing = undefined;
      await world.retry("bob");
      expect(await world.end()).toBe("wait");
      const begun = (await world.contents("run.decided")).filter(
        ({ reason }) => reason === "signal-received",
      );
      expect(begun).toHaveLength(4);
      expect(await world.paid()).toBe(3 + 4);
    });

    test("pays for no tick of a schedule again", async () => {
      const schedules = [{ name: "tick", cron: "* * * * *" }];
      const world = openOrder({ awaits: ["tick"], schedules });
      await world.start();
      for (let minutes = 0; minutes < 5; minutes++) {
        world.clock.advance(MINUTE_MS);
        await world.carry();
      }
      expect([await world.paid(), world.provider.sent]).toEqual([1, 3]);
      expect((await world.carry()).dues).toEqual({ kind: "wait" });
    });

    test("names what would be done again to whoever wants it, who has to say so", async () => {
      const world = openOrder({});
      await world.start();
      const client = clientOf(world.ports);
      const shown = await client.show(RUN);
      expect(shown && findAwaitedProvider(shown)).toMatchObject({ repeats: ["local.pay"] });
      await expect(client.retry(RUN, { by: "ada" })).rejects.toMatchObject({
        code: "RETRY_REPEATS",
      });
      expect(await world.end()).toBe("wait");
      expect(await client.retry(RUN, { by: "ada", again: true })).toEqual({ kind: "stored" });
      world.provider.failing = undefined;
      expect(await world.end()).toBe("goal-reached");
      expect(await world.paid()).toBe(2);
    });

    test("is begun for no word of an earlier outage, nor without leave to repeat", async () => {
      const steps = ["ask", "pay", "ask"].map((loopId) => ({ loopId, inputMapping: {} }));
      const loop: LoopDef = { ...order, composite: { steps } };
      const outcomes = [false, true, false, true, true];
      const answers: Model = {
        ...scriptedModel(),
        generate: async (request) => {
          if (outcomes.shift() === true) return scriptedModel().generate(request);
          throw new ModelError({ ...unauthorized, message: "no" });
        },
      };
      const world = openAway(undefined, { loop, loops: [pay, brief], tools, answers });
      const client = clientOf(world.ports);
      const paid = async () =>
        (await world.contents("action.claimed")).filter(({ action }) => action === "tool").length;
      await world.start();
      // Bob has seen that nothing was done, and acts after Ada's retry has led to a payment.
      const bobs = retryMessage(RUN, { turn: 1, by: "bob" });
      expect(await client.retry(RUN, { by: "ada" })).toEqual({ kind: "stored" });
      expect(await world.end()).toBe("wait");
      expect(await paid()).toBe(1);
      await world.put(bobs);
      await world.put(retryMessage(RUN, { turn: 1, by: "eve", again: true }));
      await world.put(retryMessage(RUN, { turn: 3, by: "eve", again: true }));
      await world.put(retryMessage(RUN, { turn: 2, by: "bob" }));
      await world.put({ key: "bare", kind: "retry", body: { by: "bob", again: true } });
      expect(await world.end()).toBe("wait");
      expect(await paid()).toBe(1);
      expect((await world.contents("signal.received")).map(({ why }) => why)).toEqual([
        undefined,
        "it was said of another turn",
        "it was said of another turn",
        "it was said of another turn",
        "it would repeat what was done",
        "it was said of another turn",
      ]);
      expect(await client.retry(RUN, { by: "bob", again: true })).toEqual({ kind: "stored" });
      expect(await world.end()).toBe("goal-reached");
      expect(await paid()).toBe(2);
    });

    test("without having acted, asks again for a signal and without a word", async () => {
      const loop: LoopDef = {
        ...order,
        composite: { steps: order.composite?.steps?.slice(1) ?? [] },
      };
      const bounds = { awaits: ["message"], retryForMs: 0 };
      const world = openAway(unreachable, { loop, loops: [brief], bounds });
      await world.start();
      const shown = await clientOf(world.ports).show(RUN);
      expect(shown && findAwaitedProvider(shown)).not.toHaveProperty("repeats");
      await world.put({ key: "a", kind: "signal", body: { name: "message", payload: "a" } });
      await world.carry();
      expect(world.provider.sent).toBe(6);
    });
  });

  test("goes on by itself where a cap has room for one more request", async () => {
    // Each outage makes three requests, which are paid for since the answers broke off.
    const broken: Failing = { code: "MODEL_ANSWER_BROKEN", retry: "retry" };
    const at = openAway(broken, { grant: { budget: { modelCalls: 4 } } });
    const first = await at.start();
    at.provider.failing = undefined;
    at.clock.advance(wakeOf(first) - at.clock.now());
    expect(await at.end()).toBe("goal-reached");
    const past = openAway(broken, { grant: { budget: { modelCalls: 3 } } });
    expect((await past.start()).dues.kind).toBe("wait");
    const shown = await clientOf(past.ports).show(RUN);
    expect(shown && findAwaitedProvider(shown)?.parked).toEqual({
      ...{ kind: "budget", unit: "modelCalls" },
      words: "the budget has no room for one more request (modelCalls)",
    });
  });

  test("leaves one turn of a cap on turns to a person", async () => {
    const world = openAway(unreachable, { grant: { budget: { turns: 2 } } });
    expect((await world.start()).dues.kind).toBe("wait");
    const shown = await clientOf(world.ports).show(RUN);
    expect(shown && findAwaitedProvider(shown)?.parked).toMatchObject({ unit: "turns" });
    world.provider.failing = undefined;
    await world.retry();
    expect(await world.end()).toBe("goal-reached");
  });
});

test("a signal that a chat awaits has the provider asked again, and keeps its place", async () => {
  const bounds = { awaits: ["message"], nextInput: { word: "$.signals.message" } };
  const model = scriptedModel();
  const world = openAway(unauthorized, { answers: model, bounds });
  await world.start();
  world.provider.failing = undefined;
  await world.put({ key: "s", kind: "signal", body: { name: "message", payload: "again" } });
  expect(await world.end()).toBe("wait");
  const said = model.requests.map(({ messages }) => messages.at(-1));
  expect(said).toMatchObject([{ text: "Say yes " }, { text: "Say again " }]);
  expect((await world.contents("run.decided")).map(({ reason }) => reason)).toEqual([
    ...["first-turn", "provider-awaited", "retry-after-failure"],
    ...["signal-received", "signal-awaited"],
  ]);
});

test("a worker that dies after the turn and before the decision changes nothing", async () => {
  const world = openAway(unauthorized);
  await world.start();
  const events = await world.events();
  const closed = events.findIndex(({ type }) => type === "turn.closed");
  expect(events.slice(closed + 1).map(({ type }) => type)).toEqual(["run.decided"]);
  expect(await world.end()).toBe("wait");
  expect(await world.events()).toHaveLength(events.length);
});
