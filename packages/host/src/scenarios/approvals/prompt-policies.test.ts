/** The policy of a prompt in whole runs: what was decided is in the log, and is not so again. */
import {
  createMemorySigner,
  type Model,
  ModelError,
  manualClock,
  memoryRateLimits,
  memoryStores,
  type RateLimits,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import { isClaimOf, type LoopPolicy } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";

const busy: Model = {
  defaultModel: "busy",
  generate: async () => {
    throw new ModelError({ code: "MODEL_RATE_LIMITED", retry: "retry", message: "no" });
  },
};

function defineAsk(policy: LoopPolicy) {
  return definePrompt({
    ...{ id: "ask", version: "1.0.0", policy },
    input: jsonSchema<{ readonly word: string }>({ type: "object" }),
    output: jsonSchema<{ readonly text: string }>({ type: "object" }),
    template: "Say {{word}}",
  });
}

const mask = defineTool({
  ...{ id: "mask", version: "1.0.0", effect: "read" },
  input: jsonSchema<{ readonly value: { readonly text: string } }>({ type: "object" }),
  output: jsonSchema<object>({ type: "object" }),
  run: ({ value }) => ({ allow: true, value: { text: value.text.replaceAll("secret", "***") } }),
});

async function collect<Item>(items: AsyncGenerator<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const routes = [{ id: "busy" }, { id: "calm" }];
const grant = { grantor: "ada", tools: [mask.definition.tool?.implementation ?? ""], budget: {} };

async function openDesk(policy: LoopPolicy, options: { readonly rateLimits?: RateLimits } = {}) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const signer = await createMemorySigner();
  const calm = scriptedModel(["a secret", "a secret"]);
  const ask = defineAsk(policy);
  const open = (given: Partial<Parameters<typeof createLocalHost>[0]> = {}) =>
    createLocalHost({
      loops: [ask, mask],
      models: { busy, calm },
      ids: seededIds("desk"),
      ...{ stores, signer, clock, ...options, ...given },
    });
  return { clock, stores, signer, calm, ask, open };
}

test("a run falls back, is filtered and limited, and replays to the byte", async () => {
  const policy = {
    routes,
    rateLimit: { name: "chat", perMinute: 5 },
    outputFilters: [{ loopId: "mask", loopVersion: "1.0.0" }],
  };
  const desk = await openDesk(policy);
  const host = desk.open();
  const run = await host.start(desk.ask, { word: "hello" }, { grant });
  expect((await host.advance(run)).dues).toEqual({ kind: "done" });
  expect(await host.readOutput(desk.ask, run)).toEqual({ text: "a ***" });

  const events = await collect(host.events(run));
  const models = events.filter((event) => isClaimOf("model", event));
  expect(models.map(({ content: { route, limit } }) => ({ route, limit }))).toEqual([
    {
      route: { index: 0, reason: "first" },
      limit: { name: "chat", answer: "taken", waitedMs: 0 },
    },
    {
      route: { index: 1, reason: "fallback:MODEL_RATE_LIMITED" },
      limit: { name: "chat", answer: "taken", waitedMs: 0 },
    },
  ]);

  // No call is repeated: not to the models, the filter or the leases.
  const never = async () => {
    throw new Error("it must not be asked");
  };
  const dead = { defaultModel: "scripted", generate: never };
  const later = desk.open({
    models: { busy: { ...dead, defaultModel: "busy" }, calm: dead },
    rateLimits: { take: never },
  });
  expect(await collect(later.replay(run))).toEqual([{ turn: 1, replayed: { kind: "identical" } }]);
});

test("two workers share a limit: the second run waits, and goes on at its time", async () => {
  const clock = manualClock();
  const rateLimits = memoryRateLimits(clock);
  const policy = { routes: [{ id: "calm" }], rateLimit: { name: "chat", perMinute: 1 } };
  const stores = memoryStores(clock);
  const signer = await createMemorySigner();
  const ask = defineAsk(policy);
  const open = () =>
    createLocalHost({
      loops: [ask],
      models: { calm: scriptedModel() },
      ...{ stores, signer, clock, rateLimits },
    });
  const [one, two] = [open(), open()];
  const first = await one.start(ask, { word: "a" }, { grant, key: "first" });
  const second = await two.start(ask, { word: "b" }, { grant, key: "second" });
  expect((await one.advance(first)).dues).toEqual({ kind: "done" });
  const atMs = clock.now() + 60_000;
  expect((await two.advance(second)).dues).toEqual({ kind: "wake", atMs });
  expect((await two.advance(second)).dues).toEqual({ kind: "wake", atMs });
  clock.advance(60_000);
  expect((await one.advance(second)).dues).toEqual({ kind: "done" });
  const claims = (await collect(two.events(second))).filter((event) => isClaimOf("model", event));
  expect(claims.map(({ content }) => content.limit)).toEqual([
    { name: "chat", answer: "taken", waitedMs: 60_000 },
  ]);
});

test("without a limiter of its own each host counts for itself", async () => {
  const desk = await openDesk({ routes: [{ id: "calm" }], rateLimit: { name: "c", perMinute: 1 } });
  const host = desk.open();
  const start = (key: string) => host.start(desk.ask, { word: "a" }, { grant, key });
  expect((await host.advance(await start("one"))).dues).toEqual({ kind: "done" });
  expect((await host.advance(await start("two"))).dues).toMatchObject({ kind: "wake" });
  expect((await desk.open().advance(await start("three"))).dues).toEqual({ kind: "done" });
});

test("who gives leases is away: a run with money stops denied, and says so", async () => {
  const policy = { routes: [{ id: "calm" }], rateLimit: { name: "chat", perMinute: 1 } };
  const away: RateLimits = { take: async () => ({ kind: "away" }) };
  const desk = await openDesk(policy, { rateLimits: away });
  const price = { inputMicrosPerMillion: 1, outputMicrosPerMillion: 1 };
  const host = desk.open({ prices: { asOf: "2026-01-01", models: { "calm/scripted": price } } });
  const poor = { ...grant, budget: { moneyMicros: 1_000_000 } };
  const run = await host.start(desk.ask, { word: "a" }, { grant: poor });
  await host.advance(run);
  expect(await host.show(run)).toMatchObject({ stopped: "denied" });
  expect(desk.calm.requests).toEqual([]);
});

test("a prompt whose policy does not fit is refused before anything runs", async () => {
  const policy = { routes, fallback: ["MODEL_REFUSED"] };
  const desk = await openDesk(policy);
  expect(() => desk.open()).toThrow(/policy\/fallback\/0/);
});
