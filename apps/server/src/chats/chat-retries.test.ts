// A provider that is away for some seconds: the answer comes into the page without a reload, in the
// message that showed the failure.
import { Chat } from "@ai-sdk/react";
import { createChatTransport } from "@turnseal/client/ai-sdk";
import { createLocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type Model,
  ModelError,
  memoryLiveBus,
  memoryStores,
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

/** A desk whose model is away after it has answered so often, until somebody brings it back. */
async function openDesk(answersMax: number) {
  let answers = 0;
  let isBack = false;
  const model: Model = {
    defaultModel: "m",
    generate: async (request) => {
      if (answers >= answersMax && !isBack)
        throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "retry", message: "no" });
      answers += 1;
      const last = request.messages.at(-1);
      const isLook = last?.role === "user" && last.text.startsWith("look");
      const call = { toolCalls: [{ tool: "local__look", input: {} }] };
      const said = last?.role === "user" ? last.text : "the tool";
      return scriptedModel([isLook ? call : `answer to ${said}`]).generate(request);
    },
  };
  const look = defineTool({
    ...{ id: "look", version: "1.0.0", effect: "read", build: "t" },
    input: jsonSchema<object>({ type: "object" }),
    output: jsonSchema<object>(true),
    run: () => ({ seen: true }),
  });
  const desk = definePrompt({
    ...{ id: "desk", version: "1.0.0", tools: [look], backend: { id: "desk" } },
    input: jsonSchema<{ readonly text: string }>({ type: "object" }),
    output: jsonSchema<unknown>(true),
    template: "{{text}}",
  });
  const [stores, live] = [memoryStores(systemClock), memoryLiveBus()];
  const parts = { stores, live, signer: await createMemorySigner(), models: { desk: model } };
  const host = createLocalHost({ loops: [look, desk], ...parts });
  const driven = driveRuns({ drive: host.driveNow });
  const grant = { grantor: "op", tools: ["local.look"], budget: {} };
  const nextInput = { text: "$.signals.message.text" };
  const server = createServer({
    tenants: () => ({ ...host, stores, live, lookAt: driven.lookAt }),
    agents: { chat: { loop: desk, grant, bounds: { awaits: ["message"], nextInput } } },
    authenticate,
  });
  const served = await serve(server, { port: 0 });
  ends.push(driven.close, served.close);
  const transport = createChatTransport({ url: served.url, agent: "chat", token: KEYS.ada });
  const open = async () => new Chat({ id: "c", transport, messages: await transport.load("c") });
  const bringBack = () => {
    isBack = true;
  };
  return { open, bringBack, load: () => transport.load("c") };
}

const typesOf = (message: UIMessage | undefined) => message?.parts.map(({ type }) => type) ?? [];
const textsOf = (message: UIMessage | undefined) =>
  message?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) ?? [];
/** Without what only a page that was there has. */
const shown = (messages: readonly UIMessage[]) =>
  messages.map(({ role, parts }) => [
    role,
    parts.flatMap((part) => (part.type === "step-start" ? [] : [part.type])),
  ]);

test("the answer replaces the failure, also in a page that is loaded later", async () => {
  const desk = await openDesk(0);
  const chat = await desk.open();
  const sent = chat.sendMessage({ text: "hello" });
  await expect.poll(() => typesOf(chat.lastMessage), { timeout: 4_000 }).toContain("data-failure");
  expect(chat.status).toBe("streaming");
  // A page that is opened meanwhile waits for it as well.
  const other = await desk.open();
  expect(typesOf(other.lastMessage)).toContain("data-failure");
  const resumed = other.resumeStream();
  desk.bringBack();
  await Promise.all([sent, resumed]);
  for (const page of [chat, other]) {
    expect([page.status, textsOf(page.lastMessage)]).toEqual(["ready", ["answer to hello"]]);
    expect(typesOf(page.lastMessage)).not.toContain("data-failure");
    expect(page.messages).toHaveLength(2);
  }
  expect(shown(await desk.load())).toEqual(shown(chat.messages));
  await chat.sendMessage({ text: "more" });
  expect(textsOf(chat.lastMessage)).toEqual(["answer to more"]);
  expect(shown(await desk.load())).toEqual(shown(chat.messages));
}, 30_000);

test("an outage behind a tool, and another one after it, keep what was done", async () => {
  const desk = await openDesk(1);
  const chat = await desk.open();
  const sent = chat.sendMessage({ text: "look" });
  await expect.poll(() => typesOf(chat.lastMessage), { timeout: 4_000 }).toContain("data-failure");
  // The first attempt of the next turn fails as well.
  setTimeout(desk.bringBack, 6_000);
  await sent;
  expect(chat.status).toBe("ready");
  expect(textsOf(chat.lastMessage)).toEqual(["answer to the tool"]);
  const types = typesOf(chat.lastMessage);
  expect(types.filter((type) => type === "dynamic-tool")).toHaveLength(1);
  expect(types).not.toContain("data-failure");
  expect(shown(await desk.load())).toEqual(shown(chat.messages));
}, 60_000);
