// Runs that ask each provider package over HTTP: the log has the server's counts.
import type { ServerResponse } from "node:http";
import { createLocalHost } from "@turnseal/host";
import { createMemorySigner, memoryLiveBus, memoryStores, systemClock } from "@turnseal/ports";
import type { EventOf, JsonValue, LoopEvent } from "@turnseal/protocol";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { PROVIDERS, WIRES } from "./provider-wires.test.data.ts";
import { startScriptedServer } from "./scripted-server.test.data.ts";

type Wire = (typeof WIRES)[keyof typeof WIRES];
type Reply = (response: ServerResponse, wire: Wire) => void;

const good: Reply = (response, { beginning, middle, end }) => {
  response.end([...beginning, ...middle, ...end].join(""));
};
const stalled: Reply = (response, { beginning }) => void response.write(beginning.join(""));
const failing: Reply = (response) => void response.writeHead(500).end("{}");
const limited: Reply = (response) => {
  response.writeHead(429, { "retry-after": "0" }).end("{}");
};
const malformed: Reply = (response, { beginning }) => {
  response.end([...beginning, "data: {]\n\n"].join(""));
};
const endless: Reply = (response, { beginning, middle }) => {
  response.end([...beginning, ...middle].join(""));
};
const lost: Reply = (response, { beginning }) => {
  response.write(beginning.join(""), () => setTimeout(() => response.socket?.resetAndDestroy(), 5));
};

const CASES: readonly [name: string, replies: Reply[], counts: Record<string, number>][] = [
  ["an answer", [good], { ok: 1, failed: 0, orphaned: 0 }],
  ["two failures and an answer", [failing, malformed, good], { ok: 1, failed: 2, orphaned: 0 }],
  ["three failures", [limited, endless, lost], { ok: 0, failed: 3, orphaned: 0 }],
  ["a worker that is lost, and an answer", [stalled, good], { ok: 1, failed: 0, orphaned: 1 }],
  [
    "a worker that is lost, two failures and an answer",
    [stalled, lost, endless, good],
    { ok: 1, failed: 2, orphaned: 1 },
  ],
];

const signer = await createMemorySigner();
const agent = definePrompt({
  ...{ id: "greeter", version: "1.0.0", backend: { id: "provider" } },
  input: jsonSchema<object>({ type: "object" }),
  output: jsonSchema<JsonValue>(true),
  template: "say hello",
});

// Between two attempts a second passes.
describe.concurrent.each(CASES)("%s", (_, replies, counts) => {
  test.each(PROVIDERS)("%s", async (provider) => {
    const asked = Promise.withResolvers<void>();
    let next = 0;
    const server = await startScriptedServer((response) => {
      response.setHeader("content-type", "text/event-stream");
      (replies[next++] ?? failing)(response, WIRES[provider]);
      asked.resolve();
    });
    const stores = memoryStores(systemClock);
    const openHost = () =>
      createLocalHost({
        loops: [agent],
        models: { provider: WIRES[provider].bind(server.url) },
        stores,
        signer,
        live: memoryLiveBus(),
      });
    const run = await openHost().start(
      agent,
      {},
      // The test does not wait for a provider that stays away: it needs one turn only.
      { grant: { grantor: "ada", tools: [], budget: {} }, bounds: { retryForMs: 0 } },
    );
    const isFirstLost = replies[0] === stalled;
    const first = isFirstLost ? openHost().advance(run) : undefined;
    const fenced = first?.catch((error: unknown) => error);
    if (isFirstLost) await asked.promise;
    await openHost().drive(run);
    const events = await stores.log.read(run, 1);
    expect(countFates(events)).toEqual(counts);
    expect(server.requestCount()).toBe(replies.length);
    server.stop();
    if (isFirstLost) expect(await fenced).toMatchObject({ code: "LOG_FENCED" });
  });
});

test.each(PROVIDERS)(
  "%s is given up when it says nothing, and another is asked",
  async (provider) => {
    const server = await startScriptedServer((response) => {
      // The connection stands, and the answer never begins.
      response.setHeader("content-type", "text/event-stream");
      if (server.requestCount() === 1) response.flushHeaders();
      else good(response, WIRES[provider]);
    });
    const model = WIRES[provider].bind(server.url);
    const policy = { routes: [{ id: "silent" }, { id: "other" }], firstPieceMs: 1_500 };
    const loop = definePrompt({
      ...{ id: "greeter", version: "1.0.0", template: "say hello", policy },
      input: jsonSchema<object>({ type: "object" }),
      output: jsonSchema<JsonValue>(true),
    });
    const stores = memoryStores(systemClock);
    const models = { silent: model, other: model };
    const host = createLocalHost({ loops: [loop], models, stores, signer });
    const grant = { grantor: "ada", tools: [], budget: {} };
    const run = await host.start(loop, {}, { grant });
    await host.drive(run);
    server.stop();
    const settled = (await stores.log.read(run, 1)).filter(isSettled);
    expect(settled.map(({ content }) => content)).toMatchObject([
      { status: "failed", failure: "MODEL_FAILED" },
      { status: "ok", inputTokens: 9, outputTokens: 4 },
    ]);
    const [failed] = settled;
    expect(failed?.content.spent).toEqual(failed?.content.reserve);
  },
);

function isSettled(event: LoopEvent): event is EventOf<"action.settled"> {
  return event.type === "action.settled";
}

function countFates(events: readonly LoopEvent[]): Record<string, number> {
  const settled = events.filter((event) => event.type === "action.settled");
  const orphaned = events.filter(
    (event) => event.type === "action.resolved" && event.content.resolution === "orphaned",
  );
  return {
    ok: settled.filter(({ content }) => content.status === "ok").length,
    failed: settled.filter(({ content }) => content.status !== "ok").length,
    orphaned: orphaned.length,
  };
}
