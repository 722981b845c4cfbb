// A question in a chat, as the AI SDK itself reads it, against a real server.
import { Chat } from "@ai-sdk/react";
import { createLocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type Model,
  memoryLiveBus,
  memoryStores,
  systemClock,
} from "@turnseal/ports";
import type { LoopDef } from "@turnseal/protocol";
import { DefaultChatTransport } from "ai";
import { afterAll, expect, test } from "vitest";
import { createServer } from "../create-server.ts";
import { driveRuns } from "../drive-runs.ts";
import { authenticate, KEYS, type Person } from "../sample-server.test.data.ts";
import { serve } from "../serve.ts";

const base = { version: "1.0.0", inputSchema: { type: "object" } } as const;
const address: LoopDef = {
  ...{ ...base, id: "address", name: "address", kind: "tool" },
  outputSchema: {
    type: "object",
    properties: { street: { type: "string" } },
    required: ["street"],
    additionalProperties: false,
  },
  tool: { implementation: "turnseal.question", config: { role: "finance" } },
};
const clerk: LoopDef = {
  ...{ ...base, id: "clerk", name: "clerk", kind: "prompt", outputSchema: true },
  ...{ backend: { id: "clerk" } },
  prompt: { template: "{{text}}", variables: ["text"], tools: [{ loopId: "address" }] },
};
/** Asks where to send it, and then says so. */
const model: Model = {
  defaultModel: "clerk-1",
  generate: async ({ messages }) => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    const said = JSON.stringify(messages.at(-1));
    const street = /Elm \d+/.exec(said)?.[0];
    if (street !== undefined)
      return {
        ...{ content: [{ kind: "text", text: `Sent to ${street}.` }], finishReason: "stop", usage },
      };
    const call = { toolCallId: "call-1", toolName: "turnseal__question", input: '{"order":"A-1"}' };
    const content = [{ kind: "tool-call", ...call } as const];
    return { content, finishReason: "tool-calls", usage };
  },
};

const stores = memoryStores(systemClock);
const live = memoryLiveBus();
const loop = { definition: clerk };
const host = createLocalHost({
  ...{ loops: [{ definition: address }, loop], stores, live, models: { clerk: model } },
  signer: await createMemorySigner(),
});
const driven = driveRuns({ drive: host.driveNow });
const grant = { grantor: "operator", tools: ["turnseal.question"], budget: {} };
const agents = { clerk: { loop, grant, bounds: { turnsMax: 50, awaits: ["message"] } } };
const alpha = { ...host, stores, live, lookAt: driven.lookAt };
const tenants = (tenant: string) => (tenant === "alpha" ? alpha : undefined);
const served = await serve(createServer({ tenants, agents, authenticate }), { port: 0 });
afterAll(async () => {
  await served.close();
  await driven.close();
});

const headersOf = (person: Person) => ({ authorization: `Bearer ${KEYS[person]}` });
const openChat = (id: string) =>
  new Chat({
    id,
    transport: new DefaultChatTransport({
      ...{ api: `${served.url}/v1/chats/clerk`, headers: headersOf("ada") },
      // The turn is in the metadata of the message that the page shows.
      prepareReconnectToStreamRequest: ({ api, id }) => ({ api: `${api}/${id}/stream?turn=1` }),
    }),
  });
const partsOf = (chat: ReturnType<typeof openChat>) => chat.lastMessage?.parts ?? [];
const questionOf = (chat: ReturnType<typeof openChat>) =>
  partsOf(chat).find(({ type }) => type === "data-question") as
    | { readonly id: string; readonly data: { readonly id: string; readonly generationId: string } }
    | undefined;
async function answer(person: Person, question: string, run: string, value: unknown) {
  const response = await fetch(`${served.url}/v1/runs/${run}/answers`, {
    ...{ method: "POST", body: JSON.stringify({ question, answer: value }) },
    headers: { ...headersOf(person), "content-type": "application/json" },
  });
  return response.status;
}
const transcriptOf = async (id: string) => {
  const url = `${served.url}/v1/chats/clerk/${id}/messages`;
  const response = await fetch(url, { headers: headersOf("ada") });
  return (await response.json()) as { messages: { parts: { type: string; data?: unknown }[] }[] };
};

test("is a part of the message, is answered by a person, and the message goes on", async () => {
  const chat = openChat("ask");
  await chat.sendMessage({ text: "Send A-1" });
  expect(chat.status).toBe("ready");
  expect(partsOf(chat)).toMatchObject([
    { type: "step-start" },
    { type: "dynamic-tool", toolName: "turnseal__question", state: "input-available" },
    {
      type: "data-question",
      data: { kind: "question", loop: "address", role: "finance", request: { order: "A-1" } },
    },
  ]);
  const stored = (await transcriptOf("ask")).messages.at(-1)?.parts;
  expect(stored?.map(({ type, data }) => [type, data])).toEqual(
    partsOf(chat).map((part) => [part.type, "data" in part ? part.data : undefined]),
  );

  const { id, data } = questionOf(chat) ?? { id: "", data: { id: "", generationId: "" } };
  expect(id).toBe(data.id);
  const [run = ""] = data.generationId.split("/");
  expect(await answer("bob", id, run, { street: "Elm 1" })).toBe(403);
  expect(await answer("mallory", id, run, { street: "Elm 1" })).toBe(403);
  expect(await answer("ada", id, run, { road: "Elm 1" })).toBe(422);
  expect(questionOf(chat)?.id).toBe(id);
  expect(await answer("ada", id, run, { street: "Elm 1" })).toBe(202);

  await chat.resumeStream();
  expect(questionOf(chat)).toBeUndefined();
  expect(partsOf(chat)).toMatchObject([
    { type: "step-start" },
    { type: "dynamic-tool", state: "output-available", output: { street: "Elm 1" } },
    { type: "step-start" },
    { type: "text", text: "Sent to Elm 1." },
    { type: "data-receipt" },
  ]);
  expect(chat.messages).toHaveLength(2);
  const after = (await transcriptOf("ask")).messages.at(-1)?.parts;
  expect(after?.map(({ type }) => type)).toEqual(partsOf(chat).map(({ type }) => type));
});

test("that was answered takes no other answer", async () => {
  const chat = openChat("twice");
  await chat.sendMessage({ text: "Send A-1" });
  const { id, data } = questionOf(chat) ?? { id: "", data: { generationId: "" } };
  const [run = ""] = data.generationId.split("/");
  expect(await answer("ada", id, run, { street: "Elm 1" })).toBe(202);
  await chat.resumeStream();
  expect(await answer("ada", id, run, { street: "Elm 2" })).toBe(409);
  expect(JSON.stringify(await transcriptOf("twice"))).not.toContain("Elm 2");
});
