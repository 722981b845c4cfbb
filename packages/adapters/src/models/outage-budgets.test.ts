// A provider over HTTP that is away for a while, under the caps of a budget. The run goes on by
// itself where one more request fits, and is charged for the requests that the server processed.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type ManualClock,
  manualClock,
  memoryStores,
  type Stores,
} from "@turnseal/ports";
import type { Amounts, ByPeriod } from "@turnseal/protocol";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { findAwaitedProvider } from "@turnseal/views";
import { afterEach, expect, test } from "vitest";
import { sqliteStores } from "../sqlite/sqlite-stores.ts";
import { modelsFromEnvironment } from "./models-from-environment.ts";

const SECOND_MS = 1_000;
const OUTAGES = { "1 s": SECOND_MS, "30 s": 30 * SECOND_MS, "10 min": 600 * SECOND_MS } as const;
/** How a server is away, and whether it processes a request then. */
const WAYS = {
  500: (response: ServerResponse) => void response.writeHead(500).end("{}"),
  503: (response: ServerResponse) => void response.writeHead(503).end("busy"),
  429: (response: ServerResponse) => void response.writeHead(429).end("{}"),
  closes: (response: ServerResponse) => void response.socket?.resetAndDestroy(),
} as const;
type Way = keyof typeof WAYS | "refuses";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function openSqlite(clock: ManualClock): Stores {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-outage-"));
  closers.push(() => rmSync(folder, { recursive: true }));
  const stores = sqliteStores({ file: join(folder, "store.db"), clock });
  closers.push(() => stores.close());
  return stores;
}

const signer = await createMemorySigner();
const ask = definePrompt({
  ...{ id: "ask", version: "1.0.0", backend: { id: "openai-compatible", model: "m" } },
  ...{ input: jsonSchema<object>({ type: "object" }), output: jsonSchema(true) },
  template: "say hello",
});
const price = { inputMicrosPerMillion: 1_000_000, outputMicrosPerMillion: 1_000_000 };
const prices = { asOf: "2026-01-01", models: { "openai-compatible/m": price } };
const ANSWER = {
  ...{ id: "a", object: "chat.completion", created: 1, model: "m" },
  choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
};

interface Provider {
  readonly url: string;
  /** Requests that it worked on, as its bill would say. */
  readonly processed: () => number;
  readonly isBusy: () => boolean;
  look(nowMs: number): Promise<void>;
}

/** Away in one way until a time, or for a number of requests; then it answers. */
async function openProvider({ way, lengthMs, failing }: Outage, clock: ManualClock) {
  const untilMs = clock.now() + lengthMs;
  let [asked, processed, busy] = [0, 0, 0];
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    busy += 1;
    response.once("close", () => {
      busy -= 1;
    });
    await text(request);
    asked += 1;
    const isAway = failing === undefined ? clock.now() < untilMs : asked <= failing;
    if (!isAway || way === "closes") processed += 1;
    response.setHeader("content-type", "application/json");
    if (isAway && way !== "refuses") return WAYS[way](response);
    response.end(JSON.stringify(ANSWER));
  };
  const server = createServer((request, response) => void reply(request, response));
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<unknown> => new Promise((resolve) => server.close(resolve));
  if (way === "refuses") await close();
  closers.push(() => {
    server.closeAllConnections();
    return close();
  });
  const provider: Provider = {
    url: `http://127.0.0.1:${port}/v1`,
    processed: () => processed,
    isBusy: () => busy > 0,
    look: async (nowMs) => {
      if (!server.listening && nowMs >= untilMs) await listen(port);
    },
  };
  return provider;
}

interface Caps {
  readonly budget?: Amounts;
  readonly perPeriod?: ByPeriod<Amounts>;
}

interface Outage {
  readonly way: Way;
  readonly lengthMs: number;
  /** How many requests meet it away, in the place of a time. */
  readonly failing?: number;
  readonly caps?: Caps;
  readonly store?: "memory" | "SQLite";
}

async function openRun({ caps = {}, store = "memory", ...outage }: Outage) {
  const clock = manualClock();
  const provider = await openProvider(outage, clock);
  const stores = store === "memory" ? memoryStores(clock) : openSqlite(clock);
  const environment = { TURNSEAL_OPENAI_COMPATIBLE_URL: provider.url };
  const models = modelsFromEnvironment(environment);
  const host = createLocalHost({ loops: [ask], stores, signer, clock, models, prices });
  const { budget = {}, ...others } = caps;
  const grant = { grantor: "ada", tools: [], budget, ...others };
  return { run: await host.start(ask, {}, { grant }), host, clock, provider };
}

type Opened = Awaited<ReturnType<typeof openRun>>;

/** Drives the run as far as it goes by itself. Time passes only while no request is under way. */
async function endOf({ run, host, clock, provider }: Opened): Promise<Ended> {
  for (let attempts = 0; attempts < 50; attempts++) {
    let isDone = false;
    const driven = host.advance(run).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (!isDone && !provider.isBusy()) clock.advance(250);
    }
    const { dues } = await driven;
    if (dues.kind === "wake") clock.advance(Math.max(0, dues.atMs - clock.now()));
    else if (dues.kind !== "continue") return readEnd(host, run);
    await provider.look(clock.now());
  }
  throw new Error("the run does not end");
}

async function readEnd(host: LocalHost, run: string) {
  const projection = await host.show(run);
  if (projection === undefined) throw new Error("there is no such run");
  const { stopped, spending } = projection;
  const { turns: _, activeMs: __, ...settled } = spending.settled;
  return { stopped, settled, parked: findAwaitedProvider(projection)?.parked };
}
type Ended = Awaited<ReturnType<typeof readEnd>>;

/** The reservation of one request: these caps have room for one, and no more. */
async function readReserve(): Promise<Amounts> {
  const opened = await openRun({ way: 500, lengthMs: 0 });
  await endOf(opened);
  for await (const event of opened.host.events(opened.run))
    if (event.type === "action.claimed") return event.content.reserve;
  throw new Error("nothing was claimed");
}
const ONE = await readReserve();
const BILL = { inputTokens: 10, outputTokens: 3, moneyMicros: 13 };

const free = (["refuses", 500, 503, 429] as const).flatMap((way) =>
  Object.keys(OUTAGES).flatMap((length) =>
    (["memory", "SQLite"] as const).map((store) => [way, length as "1 s", store] as const),
  ),
);

test.each(free)(
  "%s for %s, on %s: one request is all that is paid for",
  async (way, length, store) => {
    const budget = { ...ONE, activeMs: 60 * SECOND_MS };
    const opened = await openRun({ way, lengthMs: OUTAGES[length], caps: { budget }, store });
    const { stopped, settled } = await endOf(opened);
    expect(stopped).toBe("goal-reached");
    expect(opened.provider.processed()).toBe(1);
    expect(settled).toEqual({ rounds: 1, modelCalls: 1, ...BILL });
  },
);

const caps = Object.entries(ONE).flatMap(([unit, amount]): [string, Caps][] => [
  [unit, { budget: { [unit]: amount } }],
  [`${unit} of an hour`, { perPeriod: { hour: { [unit]: amount } } }],
]);

test.each(caps)("an outage of 10 min, with a cap on %s that one request fits", async (_, given) => {
  const opened = await openRun({ way: 500, lengthMs: OUTAGES["10 min"], caps: given });
  const { stopped, settled } = await endOf(opened);
  expect([stopped, settled["modelCalls"]]).toEqual(["goal-reached", 1]);
});

test.each(["memory", "SQLite"] as const)(
  "lost connections may have been processed, and are paid for, on %s",
  async (store) => {
    // Three requests of each of three turns.
    const failed = 9;
    const outage = { way: "closes", lengthMs: 0, failing: failed } as const;
    const fits = { modelCalls: failed + 1 };
    const opened = await openRun({ ...outage, caps: { budget: fits }, store });
    const { stopped, settled } = await endOf(opened);
    expect(stopped).toBe("goal-reached");
    expect(opened.provider.processed()).toBe(settled["modelCalls"]);
    expect(settled["outputTokens"]).toBe(failed * (ONE["outputTokens"] ?? 0) + 3);

    for (const modelCalls of [failed, failed - 1]) {
      const short = await openRun({ ...outage, caps: { budget: { modelCalls } } });
      const ended = await endOf(short);
      expect(ended).toMatchObject({
        stopped: null,
        parked: { kind: "budget", unit: "modelCalls" },
      });
      expect(short.provider.processed()).toBe(modelCalls);
    }
  },
);
