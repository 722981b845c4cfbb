// A message beside an open approval is queued, its sender learns so, and it is answered later.

import { Chat } from "@ai-sdk/react";
import { createSessionClient } from "@turnseal/client";
import { createChatTransport } from "@turnseal/client/ai-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KEYS, openSampleServer, type SampleServer } from "../sample-server.test.data.ts";

let sample: SampleServer;
beforeAll(async () => {
  sample = await openSampleServer();
});
afterAll(() => sample.close());

const queued = "queued until the approval of local.refund is decided";

test("a message beside an open approval is queued, says so, and is answered after it", async () => {
  const run = await sample.start("ada", "asking", { text: "refund A-1 5" });
  const show = async () => (await sample.ask("ada", `/v1/runs/${run}`)).json;
  await expect.poll(async () => (await show()).requests?.length).toBe(1);
  const messages = `/v1/runs/${run}/messages`;
  const sent = await sample.ask("ada", messages, { text: "hello", key: "one" });
  expect([sent.status, sent.json]).toEqual([202, { status: "stored", queued }]);
  const client = createSessionClient({ url: sample.url, run, token: KEYS.ada });
  expect(await client.send("and you?")).toEqual({ kind: "accepted", queued });
  const [{ id: approval }] = (await show()).requests;
  const word = { approval, choice: "reject" };
  expect((await sample.ask("ada", `/v1/runs/${run}/decisions`, word)).json).toEqual({
    status: "stored",
  });
  await expect.poll(show).toMatchObject({ turns: 3, status: "waiting" });
  expect((await sample.ask("ada", messages, { text: "bye", key: "two" })).json).toEqual({
    status: "stored",
  });
});

test("a page of useChat is told that its words are queued", async () => {
  const told: unknown[] = [];
  const transport = createChatTransport({ url: sample.url, agent: "asking", token: KEYS.ada });
  const chat = new Chat({ id: "queued", transport, onData: (part) => told.push(part) });
  await chat.sendMessage({ text: "refund A-2 5" });
  expect(chat.status).toBe("ready");
  await chat.sendMessage({ text: "hello" });
  expect(chat.status).toBe("ready");
  expect(told).toContainEqual({ type: "data-queued", data: { words: queued }, transient: true });
});
