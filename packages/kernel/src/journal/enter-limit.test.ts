import {
  IN_FLIGHT_LOOK_MS,
  type LimitRequest,
  type ManualClock,
  ModelError,
  memoryRateLimits,
  type RateLimits,
  scriptedModel,
} from "@turnseal/ports";
import type { RateLimitSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import {
  codeOf,
  compositeLoop,
  openWorld,
  promptLoop,
  step,
} from "../call/sample-world.test.data.ts";
import { LIMIT_ANSWER_MS_MAX, LIMIT_PAUSE_MS, WAIT_IN_PLACE_MS_MAX } from "../limits.ts";
import { crashAt, openRun, type SampleRunOptions, settle } from "../turn/sample-run.test.data.ts";

const MINUTE_MS = 60_000;

function openLimited(limit: Omit<RateLimitSpec, "name">, options: Partial<SampleRunOptions> = {}) {
  const model = scriptedModel();
  const asked: LimitRequest[] = [];
  const loop = promptLoop("ask", { policy: { rateLimit: { name: "chat", ...limit } } });
  let limits: RateLimits | undefined;
  const run = openRun({
    loops: [loop],
    model,
    rateLimits: (clock) => {
      limits = options.rateLimits?.(clock) ?? memoryRateLimits(clock);
      const { take } = limits;
      return {
        take: (request) => {
          asked.push(request);
          return take(request);
        },
      };
    },
    ...(({ rateLimits: _, ...rest }) => rest)(options),
  });
  /** Somebody else takes a lease. */
  const takeOther = (holdMs = MINUTE_MS) => {
    const { perMinute, inFlight } = limit;
    return limits?.take({
      ...{ name: "chat", holder: "other", holdMs },
      ...(inFlight === undefined ? {} : { inFlight }),
      ...(perMinute === undefined ? {} : { perWindow: { count: perMinute, windowMs: MINUTE_MS } }),
    });
  };
  return { run, model, asked, takeOther };
}

/** Lets time pass until the turn has come to an end. */
async function pass(clock: ManualClock, ms: number, stepMs = 100): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await settle();
    clock.advance(stepMs);
  }
  await settle();
}

test("a request takes a lease, says so, and gives it back", async () => {
  const { run, asked, takeOther } = openLimited({ inFlight: 1 });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  const [claim] = await run.contents("action.claimed");
  expect(claim?.limit).toEqual({ name: "chat", answer: "taken", waitedMs: 0 });
  expect(asked).toMatchObject([{ name: "chat", inFlight: 1, holder: claim?.key }]);
  expect(await takeOther()).toMatchObject({ kind: "taken" });
});

test("while others hold every lease a short wait is waited in place", async () => {
  const { run, takeOther } = openLimited({ inFlight: 1 });
  const other = await takeOther();
  const turning = run.turn();
  await pass(run.clock, IN_FLIGHT_LOOK_MS + 500);
  expect(await run.types()).not.toContain("action.claimed");
  if (other?.kind === "taken") other.release();
  await pass(run.clock, IN_FLIGHT_LOOK_MS);
  expect(await turning).toMatchObject({ outcome: "completed" });
  const waitedMs = 2 * IN_FLIGHT_LOOK_MS;
  expect((await run.contents("action.claimed"))[0]).toMatchObject({ limit: { waitedMs } });
  expect(await run.types()).not.toContain("turn.waiting");
});

test("a wait of WAIT_IN_PLACE_MS_MAX is waited in place, and a longer one is not", async () => {
  for (const [waitMs, isInPlace] of [
    [WAIT_IN_PLACE_MS_MAX, true],
    [WAIT_IN_PLACE_MS_MAX + 1, false],
  ] as const) {
    const { run, model, takeOther } = openLimited({ perMinute: 1 });
    await takeOther();
    run.clock.advance(MINUTE_MS - waitMs);
    const turning = run.turn();
    await pass(run.clock, isInPlace ? waitMs : 0);
    const until = run.clock.now() + waitMs;
    expect(await turning).toMatchObject(
      isInPlace ? { outcome: "completed" } : { kind: "waiting", for: "time", untilMs: until },
    );
    expect(model.requests).toHaveLength(isInPlace ? 1 : 0);
  }
});

test("a turn that waited comes back at its time, and the claim says how long it was", async () => {
  const { run, model, takeOther } = openLimited({ perMinute: 1 });
  await takeOther();
  expect(await run.turn()).toMatchObject({ kind: "waiting" });
  expect(await run.contents("turn.waiting")).toMatchObject([{ for: "time" }]);
  run.clock.advance(MINUTE_MS);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect((await run.contents("action.claimed"))[0]).toMatchObject({
    limit: { answer: "taken", waitedMs: MINUTE_MS },
  });
  expect(model.requests).toHaveLength(1);
});

test("who looked in vain in place is put down for LIMIT_PAUSE_MS", async () => {
  const { run, takeOther } = openLimited({ inFlight: 1 });
  await takeOther(10 * MINUTE_MS);
  const beganMs = run.clock.now();
  const turning = run.turn();
  await pass(run.clock, WAIT_IN_PLACE_MS_MAX);
  expect(await turning).toMatchObject({
    kind: "waiting",
    untilMs: beganMs + WAIT_IN_PLACE_MS_MAX + LIMIT_PAUSE_MS,
  });
});

test("a cancel ends the wait, and nothing is claimed", async () => {
  const { run, model, takeOther } = openLimited({ inFlight: 1 });
  await takeOther();
  const turning = run.turn();
  await settle();
  run.cancel();
  await pass(run.clock, 2_000);
  expect(await turning).toMatchObject({ outcome: "cancelled" });
  expect(model.requests).toEqual([]);
  expect(await run.types()).not.toContain("action.claimed");
});

const away: SampleRunOptions["rateLimits"] = () => ({ take: async () => ({ kind: "away" }) });
const rejecting: SampleRunOptions["rateLimits"] = () => ({
  take: () => Promise.reject(new Error("not reached")),
});
const money = {
  budget: { moneyMicros: 1_000_000_000 },
  prices: {
    asOf: "2026-01-01",
    models: { "sample/scripted": { inputMicrosPerMillion: 1, outputMicrosPerMillion: 1 } },
  },
};

test.each([
  ["is away", away],
  ["rejects", rejecting],
])("without money a run goes on when who gives leases %s, and says so", async (_, rateLimits) => {
  const { run } = openLimited({ perMinute: 1 }, { rateLimits });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect((await run.contents("action.claimed"))[0]).toMatchObject({
    limit: { name: "chat", answer: "away", waitedMs: 0 },
  });
});

test.each([
  ["is away", { rateLimits: away, ...money }],
  ["rejects", { rateLimits: rejecting, ...money }],
  [
    "is away, with a cap for a month",
    { ...money, rateLimits: away, budget: {}, grant: { perPeriod: { month: { moneyMicros: 9 } } } },
  ],
])("with money a run is refused when who gives leases %s", async (_, options) => {
  const { run, model } = openLimited({ perMinute: 1 }, options);
  expect(await run.turn()).toMatchObject({ outcome: "denied" });
  expect(await run.contents("call.errored")).toMatchObject([
    { code: "POLICY_DENIED", details: { denial: "limit-away" } },
  ]);
  expect(model.requests).toEqual([]);
});

test("where nobody gives leases nobody can tell", async () => {
  const loop = promptLoop("ask", { policy: { rateLimit: { name: "chat", inFlight: 1 } } });
  const open = openRun({ loops: [loop] });
  expect(await open.turn()).toMatchObject({ outcome: "completed" });
  expect((await open.contents("action.claimed"))[0]).toMatchObject({ limit: { answer: "away" } });
  const closed = openRun({ loops: [loop], ...money });
  expect(await closed.turn()).toMatchObject({ outcome: "denied" });
});

test("after LIMIT_ANSWER_MS_MAX nobody can tell, and a late lease is given back", async () => {
  let give = (): void => {};
  let released = 0;
  const rateLimits: SampleRunOptions["rateLimits"] = () => ({
    take: () =>
      new Promise((resolve) => {
        give = () => resolve({ kind: "taken", release: () => released++, withdraw: () => {} });
      }),
  });
  const inTime = openLimited({ inFlight: 1 }, { rateLimits });
  const first = inTime.run.turn();
  await settle();
  inTime.run.clock.advance(LIMIT_ANSWER_MS_MAX - 1);
  give();
  expect(await first).toMatchObject({ outcome: "completed" });
  expect((await inTime.run.contents("action.claimed"))[0]).toMatchObject({
    limit: { answer: "taken" },
  });
  const late = openLimited({ inFlight: 1 }, { rateLimits });
  const second = late.run.turn();
  await settle();
  late.run.clock.advance(LIMIT_ANSWER_MS_MAX);
  expect(await second).toMatchObject({ outcome: "completed" });
  expect((await late.run.contents("action.claimed"))[0]).toMatchObject({
    limit: { answer: "away" },
  });
  expect(released).toBe(1);
  give();
  await settle();
  expect(released).toBe(2);
});

test("what is recorded is not asked for again; a request that is made anew is", async () => {
  const { run, model, asked } = openLimited({ perMinute: 9 }, { beforeAppend: crashAt(2) });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(asked).toHaveLength(1);
  // The answer was lost: the request is orphaned, and the next one needs a lease of its own.
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect([asked.length, model.requests.length]).toEqual([2, 2]);
});

test("of two requests the one that is settled takes no lease in a resume", async () => {
  const policy = { rateLimit: { name: "chat", perMinute: 9 } };
  const { run, asked } = openLimited(
    {},
    {
      loops: [
        compositeLoop("both", [step("one"), step("two")]),
        promptLoop("one", { policy }),
        promptLoop("two", { policy }),
      ],
      beforeAppend: crashAt(3),
    },
  );
  await expect(run.turn()).rejects.toThrow("crash");
  expect(asked).toHaveLength(2);
  const [first, second] = asked;
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(asked.slice(2).map(({ holder }) => holder)).toEqual([second?.holder]);
  expect(first?.holder).not.toBe(second?.holder);
});

test("each retry takes a lease of its own", async () => {
  let failures = 2;
  const model = scriptedModel();
  const { run, asked } = openLimited(
    { perMinute: 9 },
    {
      model: {
        defaultModel: "unsure",
        generate: async (request) => {
          if (failures-- > 0)
            throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "retry", message: "no" });
          return model.generate(request);
        },
      },
    },
  );
  const turning = run.turn();
  await pass(run.clock, 3_000);
  expect(await turning).toMatchObject({ outcome: "completed" });
  expect(new Set(asked.map(({ holder }) => holder)).size).toBe(3);
});

test("a refusal is not asked for again by a resume: the record says it", async () => {
  const { run } = openLimited(
    { perMinute: 1 },
    { rateLimits: away, ...money, beforeAppend: crashAt(1) },
  );
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.turn()).toMatchObject({ outcome: "denied" });
});

test("outside a run a lease is waited for until the deadline", async () => {
  const policy = { timeoutMs: 10_000, rateLimit: { name: "chat", perMinute: 1 } };
  const loop = promptLoop("ask", { policy });
  const world = openWorld({ loops: [loop], models: { sample: scriptedModel() } });
  expect(codeOf(await world.call("ask"))).toBeUndefined();
  expect(codeOf(await world.call("ask"))).toBe("TIMEOUT");
});
