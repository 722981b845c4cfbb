// The agent of a chat is edited. Open chats keep the old prompt. A chat that cannot go on says so
// to the page, to the API and to the operator.
import { Chat } from "@ai-sdk/react";
import { createChatTransport } from "@turnseal/client/ai-sdk";
import { createLocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type Model,
  memoryLiveBus,
  memoryStores,
  type Stores,
  scriptedModel,
  systemClock,
} from "@turnseal/ports";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import type { UIMessage } from "ai";
import { afterEach, expect, test } from "vitest";
import { createServer } from "../create-server.ts";
import { driveRuns } from "../drive-runs.ts";
import { authenticate, KEYS } from "../sample-server.test.data.ts";
import { serve } from "../serve.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const signer = await createMemorySigner();

/** Says its system prompt. */
const echo: Model = {
  defaultModel: "echo-1",
  generate: (request) => {
    const system = request.messages.find(({ role }) => role === "system") as { text?: string };
    return scriptedModel([`I am ${system?.text}`]).generate(request);
  },
};

interface Listed {
  readonly runs: readonly { readonly run: string }[];
}

/** The next process, with an edition of the agent. */
async function openEdition(system: string, toolVersion: string, stores: Stores) {
  const lookup = defineTool({
    ...{ id: "lookup", version: toolVersion, effect: "read", build: "t" },
    input: jsonSchema<object>({ type: "object" }),
    output: jsonSchema<object>(true),
    run: () => ({}),
  });
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", system, tools: [lookup], backend: { id: "echo" } },
    input: jsonSchema<{ readonly text: string }>({ type: "object" }),
    output: jsonSchema<unknown>(true),
    template: "{{text}}",
  });
  const live = memoryLiveBus();
  const host = createLocalHost({ loops: [lookup, agent], stores, signer, models: { echo }, live });
  const said: string[] = [];
  const driven = driveRuns({
    drive: host.driveNow,
    onBlocked: (_, { why, what }) => said.push(`${why} ${what}`),
  });
  const grant = { grantor: "op", tools: ["local.lookup"], budget: {} };
  const nextInput = { text: "$.signals.message.text" };
  const server = createServer({
    tenants: () => ({ ...host, stores, live, lookAt: driven.lookAt }),
    agents: { chat: { loop: agent, grant, bounds: { awaits: ["message"], nextInput } } },
    authenticate,
  });
  const served = await serve(server, { port: 0 });
  const close = async () => {
    await served.close();
    await driven.close();
  };
  ends.push(close);
  const transport = createChatTransport({ url: served.url, agent: "chat", token: KEYS.ada });
  const open = async () => new Chat({ id: "c", transport, messages: await transport.load("c") });
  const show = async () => {
    const headers = { authorization: `Bearer ${KEYS.ada}` };
    const listed = (await (await fetch(`${served.url}/v1/runs`, { headers })).json()) as Listed;
    const [{ run } = { run: "" }] = listed.runs;
    return (await fetch(`${served.url}/v1/runs/${run}`, { headers })).json();
  };
  /** Sends the first message of the chat, as a page does again whose connection was lost. */
  const sendFirst = async () => {
    const message = { id: "m1", role: "user", parts: [{ type: "text", text: "hi" }] };
    const sent = await fetch(`${served.url}/v1/chats/chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEYS.ada}`, "content-type": "application/json" },
      body: JSON.stringify({ id: "c", messages: [message], trigger: "submit-message" }),
    });
    await sent.text();
    return sent.status;
  };
  const load = async () => (await transport.load("c")).map(({ role }) => role);
  return { open, show, said, sendFirst, load };
}

const lastText = ({ lastMessage }: Chat<UIMessage>) =>
  lastMessage?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).at(-1);

test("an open chat goes on with the words that it began with", async () => {
  const stores = memoryStores(systemClock);
  const first = await (await openEdition("polite", "1.0.0", stores)).open();
  await first.sendMessage({ text: "hi" });
  expect(lastText(first)).toBe("I am polite");
  const second = await openEdition("brief", "1.0.0", stores);
  const chat = await second.open();
  await chat.sendMessage({ text: "and now?" });
  expect([chat.status, lastText(chat)]).toEqual(["ready", "I am polite"]);
  expect(await second.show()).toMatchObject({ status: "waiting", turns: 2 });
  expect(second.said).toEqual([]);
});

test("a first message that is sent again after an edit counts once", async () => {
  const stores = memoryStores(systemClock);
  const before = await openEdition("polite", "1.0.0", stores);
  expect(await before.sendFirst()).toBe(200);
  const after = await openEdition("brief", "1.0.0", stores);
  expect(await after.sendFirst()).toBe(200);
  expect(await after.load()).toEqual(["user", "assistant"]);
});

test("one whose function is gone says so to the page, the API and the operator", async () => {
  const stores = memoryStores(systemClock);
  const first = await (await openEdition("polite", "1.0.0", stores)).open();
  await first.sendMessage({ text: "hi" });
  const second = await openEdition("brief", "2.0.0", stores);
  const chat = await second.open();
  await chat.sendMessage({ text: "and now?" });
  const words = "no function is bound to local.lookup 1.0.0";
  expect([chat.status, chat.error?.message]).toEqual([
    "error",
    `the agent cannot continue: ${words}`,
  ]);
  const blocked = { cause: "tool-missing", what: "local.lookup 1.0.0", words };
  expect(await second.show()).toMatchObject({ blocked });
  expect(second.said).toEqual(["tool-missing local.lookup 1.0.0"]);
  // A reloaded page learns the same.
  const again = await second.open();
  await again.resumeStream();
  expect([again.status, again.error?.message]).toEqual(["error", expect.stringContaining(words)]);
  // The function is back: the message is answered, and the chat goes on.
  const third = await openEdition("brief", "1.0.0", stores);
  const mended = await third.open();
  await mended.sendMessage({ text: "and again?" });
  expect([mended.status, lastText(mended)]).toEqual(["ready", "I am polite"]);
  expect(await third.show()).toMatchObject({ turns: 3 });
  expect(await third.show()).not.toHaveProperty("blocked");
});
