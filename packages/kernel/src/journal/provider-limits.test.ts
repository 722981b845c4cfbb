// An operator's limits for a provider, beside the limit of the prompt itself.
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
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { LIMIT_PAUSE_MS, WAIT_IN_PLACE_MS_MAX } from "../limits.ts";
import { openRun, type SampleRunOptions, settle } from "../turn/sample-run.test.data.ts";

type Limit = Omit<RateLimitSpec, "name">;

/** Limits that say what is done with them. */
function tell(whose: string, told: string[], { take }: RateLimits): RateLimits {
  return {
    take: async (request) => {
      const answer = await take(request);
      told.push(`${whose} ${answer.kind}`);
      if (answer.kind !== "taken") return answer;
      const say = (what: string, act: () => void) => () => {
        told.push(`${whose} ${what}`);
        act();
      };
      return {
        kind: "taken",
        release: say("released", answer.release),
        withdraw: (place) => say(`withdrawn, place ${place}`, () => answer.withdraw(place))(),
      };
    },
  };
}

interface Limited extends Partial<SampleRunOptions> {
  readonly own?: Limit;
  readonly shared?: Limit;
  /** Replaces the counts of all tenants. */
  readonly counts?: RateLimits;
}

/** A run whose provider is limited for everybody, and perhaps its prompt as well. */
function openLimited({ own, shared = { inFlight: 1 }, counts, ...options }: Limited = {}) {
  const told: string[] = [];
  const listed: string[] = [];
  const policy = own === undefined ? {} : { policy: { rateLimit: { name: "chat", ...own } } };
  const model = scriptedModel();
  let everybody: RateLimits | undefined;
  const run = openRun({
    loops: [promptLoop("ask", policy)],
    model,
    rateLimits: (clock) => tell("own", told, memoryRateLimits(clock)),
    providerLimits: (clock) => {
      everybody = counts ?? memoryRateLimits(clock);
      return {
        rateLimits: tell("shared", told, everybody),
        listFor: (provider, name) => {
          listed.push(`${provider}/${name}`);
          return provider === "sample" ? [{ name: "provider:sample", ...shared }] : [];
        },
      };
    },
    ...options,
  });
  /** Somebody of another tenant takes a lease. */
  const takeOther = (holdMs = 600_000) => {
    const { inFlight, perMinute } = shared;
    const request: LimitRequest = {
      ...{ name: "provider:sample", holder: "other", holdMs },
      ...(inFlight === undefined ? {} : { inFlight }),
      ...(perMinute === undefined ? {} : { perWindow: { count: perMinute, windowMs: 60_000 } }),
    };
    return everybody?.take(request);
  };
  return { run, model, told, listed, takeOther };
}

async function pass(clock: ManualClock, ms: number, stepMs = 100): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await settle();
    clock.advance(stepMs);
  }
  await settle();
}

test("a request needs both leases, its own first, and gives both back", async () => {
  const { run, told, listed } = openLimited({ own: { perMinute: 9 } });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(told).toEqual(["own taken", "shared taken", "own released", "shared released"]);
  expect(listed).toEqual(["sample/scripted"]);
  expect((await run.contents("action.claimed"))[0]).toMatchObject({
    limit: { name: "chat", answer: "taken", waitedMs: 0 },
  });
});

test("a prompt without a limit of its own is held to that of its provider", async () => {
  const { run, told, takeOther } = openLimited();
  const other = await takeOther();
  const turning = run.turn();
  await pass(run.clock, IN_FLIGHT_LOOK_MS + 500);
  expect(await run.types()).not.toContain("action.claimed");
  if (other?.kind === "taken") other.release();
  await pass(run.clock, IN_FLIGHT_LOOK_MS);
  expect(await turning).toMatchObject({ outcome: "completed" });
  expect(told).toEqual(["shared full", "shared full", "shared taken", "shared released"]);
  expect((await run.contents("action.claimed"))[0]).toMatchObject({
    limit: { name: "provider:sample", answer: "taken", waitedMs: 2 * IN_FLIGHT_LOOK_MS },
  });
});

test("who waits for the provider uses up nothing of its own limit", async () => {
  const { run, told, takeOther } = openLimited({ own: { perMinute: 1, inFlight: 1 } });
  const other = await takeOther();
  const turning = run.turn();
  await pass(run.clock, 2 * IN_FLIGHT_LOOK_MS + 500);
  if (other?.kind === "taken") other.release();
  await pass(run.clock, IN_FLIGHT_LOOK_MS);
  expect(await turning).toMatchObject({ outcome: "completed" });
  const look = ["own taken", "shared full", "own withdrawn, place kept"];
  expect(told.slice(0, 9)).toEqual([...look, ...look, ...look]);
  expect(told.slice(9)).toEqual(["own taken", "shared taken", "own released", "shared released"]);
});

test("who waits for its own limit asks for nothing of the provider's", async () => {
  const { run, told } = openLimited({
    own: { perMinute: 1 },
    rateLimits: ({ now }) => ({ take: async () => ({ kind: "full", retryAtMs: now() + 60_000 }) }),
  });
  expect(await run.turn()).toMatchObject({ kind: "waiting", for: "time" });
  expect(told).toEqual([]);
});

test("a long wait for the provider puts the turn down, as one for its own limit does", async () => {
  const { run, model, takeOther } = openLimited();
  await takeOther();
  const beganMs = run.clock.now();
  const turning = run.turn();
  await pass(run.clock, WAIT_IN_PLACE_MS_MAX);
  const untilMs = beganMs + WAIT_IN_PLACE_MS_MAX + LIMIT_PAUSE_MS;
  expect(await turning).toMatchObject({ kind: "waiting", for: "time", untilMs });
  expect(model.requests).toEqual([]);
});

const away: RateLimits = { take: async () => ({ kind: "away" }) };

test("where nobody can tell of the provider, a run without money goes on and says so", async () => {
  const { run, told } = openLimited({ own: { perMinute: 1 }, counts: away });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(told).toEqual(["own taken", "shared away", "own released"]);
  expect((await run.contents("action.claimed"))[0]).toMatchObject({
    limit: { name: "chat", answer: "away" },
  });
});

test("where nobody can tell of the provider, a run with money is refused", async () => {
  const { run, model, told } = openLimited({
    ...{ own: { perMinute: 1 }, counts: away },
    budget: { moneyMicros: 1_000_000_000 },
    prices: {
      asOf: "2026-01-01",
      models: { "sample/scripted": { inputMicrosPerMillion: 1, outputMicrosPerMillion: 1 } },
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "denied" });
  expect(await run.contents("call.errored")).toMatchObject([
    { code: "POLICY_DENIED", details: { denial: "limit-away" } },
  ]);
  expect(told).toEqual(["own taken", "shared away", "own withdrawn, place kept"]);
  expect(model.requests).toEqual([]);
});

test("a request that is never made is counted nowhere, and nobody waits for it", async () => {
  const { run, model, told, takeOther } = openLimited({
    ...{ own: { perMinute: 1 }, shared: { perMinute: 1 } },
    budget: { outputTokens: 1 },
  });
  expect(await run.turn()).toMatchObject({ outcome: "failed" });
  expect(model.requests).toEqual([]);
  const left = ["shared withdrawn, place left", "own withdrawn, place left"];
  expect(told).toEqual(["own taken", "shared taken", ...left]);
  expect(await takeOther()).toMatchObject({ kind: "taken" });
});

test("who waits for a budget that another action holds has no lease meanwhile", async () => {
  const look = Promise.withResolvers<Record<string, never>>();
  const object = { inputSchema: { type: "object" } };
  const tools = ["look", "ask"].map((loopId) => ({ loopId, independent: true }));
  const toolCalls = [
    { tool: "local__look", input: {} },
    { tool: "loop__ask", input: { word: "hello" } },
  ];
  const { run, told, takeOther } = openLimited({
    loops: [
      promptLoop("agent", { prompt: { template: "Go", variables: [], tools } }),
      promptLoop("ask", object),
      toolLoop("look", object),
    ],
    model: scriptedModel([{ toolCalls }, "hello", "done"]),
    tools: { "local.look": { effect: "read", run: () => look.promise } },
    budget: { activeMs: 10_000 },
  });
  const turning = run.turn();
  await settle();
  expect(await run.contents("action.claimed")).toHaveLength(2);
  // Of the whole time that is left nothing is free: others are not kept waiting by that.
  const other = await takeOther();
  expect(other).toMatchObject({ kind: "taken" });
  if (other?.kind === "taken") other.release();
  look.resolve({});
  expect(await turning).toMatchObject({ outcome: "completed" });
  expect(told.slice(2, 4)).toEqual(["shared taken", "shared withdrawn, place left"]);
});

test("a fallback is held to the limits of the provider that it asks", async () => {
  const generate = async () => {
    throw new ModelError({ code: "MODEL_RATE_LIMITED", retry: "retry", message: "no" });
  };
  const policy = { routes: [{ id: "sample" }, { id: "calm", model: "small" }] };
  const { backend: _, ...loop } = promptLoop("ask", { policy });
  const { run, told, listed } = openLimited({
    loops: [loop],
    model: { defaultModel: "busy", generate },
    models: { calm: scriptedModel() },
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(listed).toEqual(["sample/busy", "calm/small"]);
  expect(told).toEqual(["shared taken", "shared released"]);
  const claims = await run.contents("action.claimed");
  expect(claims.map(({ limit }) => limit?.name)).toEqual(["provider:sample", undefined]);
});
