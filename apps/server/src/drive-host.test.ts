// One host behind a server: its runs are driven here, and go on in the next process.
import { createLocalHost, type LocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type Model,
  ModelError,
  memoryStores,
  type Stores,
  scriptedModel,
  systemClock,
} from "@turnseal/ports";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { afterEach, expect, test } from "vitest";
import { createServer, type Server, type ServerSettings } from "./create-server.ts";
import { localhostOnly } from "./identity/localhost-only.ts";

const signer = await createMemorySigner();
const chat = definePrompt({
  ...{ id: "chat", version: "1.0.0", template: "{{text}}", backend: { id: "desk" } },
  input: jsonSchema<{ readonly text: string }>({ type: "object" }),
  output: jsonSchema<{ readonly text: string }>({ type: "object" }),
});
const agents = {
  chat: {
    loop: chat,
    grant: { grantor: "operator", tools: [], budget: { turns: 10 } },
    bounds: { awaits: ["message"], nextInput: { text: "$.signals.message.text" } },
  },
};

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const echo: Model = {
  defaultModel: "echo-1",
  generate: (request) => {
    const last = request.messages.at(-1);
    const text = last?.role === "user" ? last.text : "";
    return scriptedModel([`You said ${text}`]).generate(request);
  },
};

function open(stores: Stores, settings: Partial<ServerSettings> = {}, model = echo) {
  const host: LocalHost = createLocalHost({ loops: [], stores, signer, models: { desk: model } });
  const server = createServer({ host, agents, authenticate: localhostOnly(), ...settings });
  servers.push(server);
  return { host, server };
}

async function ask(server: Server, path: string, body?: object) {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const url = `http://localhost${path}`;
  return server.fetch(new Request(url, body === undefined ? {} : init));
}

async function start(server: Server, text: string): Promise<string> {
  const response = await ask(server, "/v1/runs", { agent: "chat", input: { text } });
  return ((await response.json()) as { run: string }).run;
}

/** The words of a session, once there are so many. */
async function readWords(server: Server, run: string, count: number): Promise<string[]> {
  for (;;) {
    const page = await (await ask(server, `/v1/runs/${run}/transcript`)).json();
    const { messages } = page as { messages: { parts: { text?: string }[] }[] };
    const said = messages.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? []));
    if (said.length >= count) return said;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("a host needs nothing else: its runs are driven, and its agents registered", async () => {
  const { server } = open(memoryStores(systemClock));
  const run = await start(server, "one");
  expect(await readWords(server, run, 2)).toEqual(["one", "You said one"]);
  await ask(server, `/v1/runs/${run}/messages`, { text: "two", key: "second" });
  expect(await readWords(server, run, 4)).toEqual(["one", "You said one", "two", "You said two"]);
});

test("words come as they are written, though the host was made without a live bus", async () => {
  const stores = memoryStores(systemClock);
  let go = () => {};
  const pause = new Promise<void>((resolve) => {
    go = resolve;
  });
  const slow: Model = {
    defaultModel: "slow-1",
    generate: async (request) => {
      request.onDelta?.({ kind: "text", part: 0, text: "Half" });
      await pause;
      return scriptedModel(["Half and half"]).generate({ ...request, onDelta: () => {} });
    },
  };
  const { server } = open(stores, {}, slow);
  const run = await start(server, "one");
  const stream = await ask(server, `/v1/runs/${run}/stream`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let told = "";
  while (!told.includes('"Half"')) told += (await reader?.read())?.value ?? "";
  expect(told).toContain("event: delta");
  go();
  await reader?.cancel();
});

test("a run whose process ended before its first event begins when the server starts", async () => {
  const stores = memoryStores(systemClock);
  const gone = createLocalHost({ loops: [chat], stores, signer, models: { desk: echo } });
  const run = await gone.start(chat, { text: "one" }, agents.chat);
  const other = definePrompt({
    ...{ id: "other", version: "1.0.0", template: "{{text}}", backend: { id: "desk" } },
    input: jsonSchema<{ readonly text: string }>({ type: "object" }),
    output: jsonSchema<{ readonly text: string }>({ type: "object" }),
  });
  gone.register(other);
  const foreign = await gone.start(other, { text: "two" }, agents.chat);
  const { server } = open(stores);
  expect(await readWords(server, run, 2)).toEqual(["one", "You said one"]);
  expect(await stores.log.readHead(foreign)).toBeUndefined();
});

test("a run that an earlier process left open continues when the server starts", async () => {
  const stores = memoryStores(systemClock);
  const first = open(stores);
  const run = await start(first.server, "one");
  await readWords(first.server, run, 2);
  await first.server.close();
  await first.host.signal(run, {
    ...{ name: "message", payload: { text: "two" }, key: "second" },
    by: "you",
  });
  const second = open(stores);
  expect(await readWords(second.server, run, 4)).toContain("You said two");
});

test("a server that is closed leaves a run whose provider is away", async () => {
  const away = new ModelError({ code: "MODEL_UNREACHABLE", retry: "retry", message: "away" });
  let asked = 0;
  const model: Model = {
    defaultModel: "away-1",
    generate: () => {
      asked += 1;
      return Promise.reject(away);
    },
  };
  const told: unknown[] = [];
  const { server } = open(
    memoryStores(systemClock),
    { onFailure: (error) => told.push(error) },
    model,
  );
  await start(server, "one");
  while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await server.close();
  const before = asked;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect({ asked, told }).toEqual({ asked: before, told: [] });
});

test("callers of another tenant are refused", async () => {
  const authenticate = () => ({ tenant: "other", id: "eve", roles: [] });
  const { server } = open(memoryStores(systemClock), { authenticate });
  expect((await ask(server, "/v1/agents")).status).toBe(403);
});

test("a run that fails is told to the operator", async () => {
  const stores = memoryStores(systemClock);
  const told: unknown[] = [];
  const broken = {
    ...stores,
    log: { ...stores.log, takeEpoch: () => Promise.reject(new Error("x")) },
  };
  const { server } = open(broken as Stores, { onFailure: (_, place) => told.push(place) });
  const run = await start(server, "one");
  while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(told[0]).toEqual({ tenant: "default", run });
});
