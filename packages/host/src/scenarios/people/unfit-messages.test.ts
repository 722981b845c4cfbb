/** Messages that a conversation cannot take are refused before they are stored, and end nothing. */
import { memoryStores, scriptedModel, systemClock } from "@turnseal/ports";
import type { JsonObject, JsonValue, RunBounds } from "@turnseal/protocol";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";

const signer = {
  keyId: "key",
  issuer: "development" as const,
  sign: async () => new Uint8Array(64),
};

const inputSchema = {
  type: "object",
  properties: { text: { type: "string" }, stars: { type: "integer", minimum: 1 } },
  required: ["text"],
  additionalProperties: false,
};

const chat = definePrompt({
  ...{ id: "chat", version: "1.0.0", backend: { id: "clerk" } },
  input: jsonSchema<{ readonly text: string; readonly stars?: number }>(inputSchema),
  output: jsonSchema<JsonValue>(true),
  template: "{{text}} {{stars}}",
});

const nextInput: JsonObject = { text: "$.signals.message.text" };

async function openChat(bounds: Partial<RunBounds> = { nextInput: { ...nextInput } as never }) {
  const stores = memoryStores(systemClock);
  const models = { clerk: scriptedModel() };
  const host = createLocalHost({ loops: [chat], stores, signer, models });
  const grant = { grantor: "ada", tools: [], budget: {} };
  const start = { grant, bounds: { awaits: ["message"], ...bounds } };
  const run = await host.start(chat, { text: "hi" }, start);
  let keys = 0;
  const say = (payload: JsonValue) => {
    keys += 1;
    return host.signal(run, { name: "message", payload, by: "ada", key: `m${keys}` });
  };
  const standing = async () => {
    await host.drive(run);
    const { turns, stopped } = (await host.show(run)) ?? {};
    return { turns, stopped, isUnread: await stores.inbox.has(run) };
  };
  return { host, run, say, standing };
}

test.each<[string, JsonValue, string]>([
  ["nothing", null, "nothing at $.signals.message.text"],
  ["a text alone", "hello", "nothing at $.signals.message.text"],
  ["another field", { words: "hello" }, "/text: is missing"],
  ["another type", { text: 7 }, "/text: "],
])("%s is refused with a payload that fits, and the run goes on", async (_, payload, why) => {
  const { say, standing } = await openChat();
  await standing();
  await expect(say(payload)).rejects.toMatchObject({
    code: "SIGNAL_REFUSED",
    message: expect.stringContaining(why),
    sample: { text: "..." },
  });
  expect(await standing()).toEqual({ turns: 1, stopped: null, isUnread: false });
  // The example of the refusal is accepted.
  await say({ text: "..." });
  expect(await standing()).toEqual({ turns: 2, stopped: null, isUnread: false });
});

test("a run that nobody has driven yet refuses it as well", async () => {
  const { say, standing } = await openChat();
  await expect(say(null)).rejects.toMatchObject({ code: "SIGNAL_REFUSED" });
  expect(await standing()).toEqual({ turns: 1, stopped: null, isUnread: false });
});

test("an example has the types of the input", async () => {
  const stars = "$.signals.message.stars";
  const { say, standing } = await openChat({ nextInput: { text: "literal:hi", stars } });
  await standing();
  await expect(say({ stars: "many" })).rejects.toMatchObject({ sample: { stars: 1 } });
});

test("a payload that no turn reads is refused, and an empty one is taken", async () => {
  const { host, run, say, standing } = await openChat({ awaits: ["message", "hurry"] });
  await standing();
  await expect(say({ text: "hello" })).rejects.toMatchObject({
    code: "SIGNAL_REFUSED",
    message: expect.stringContaining("no turn reads its payload, since the run has no `nextInput`"),
  });
  expect(await standing()).toMatchObject({ turns: 1, isUnread: false });
  await say(null);
  await say({});
  await host.signal(run, { name: "hurry", payload: null, by: "ada", key: "h" });
  expect(await standing()).toMatchObject({ turns: 4, stopped: null });
});

test("without `nextInput`, a run that awaits one signal reads its text", async () => {
  const { host, run, say, standing } = await openChat({});
  await standing();
  await say({ text: "the second" });
  await standing();
  expect((await host.show(run))?.spec?.bounds.nextInput).toMatchObject({
    text: "$.signals.message.text",
  });
  await expect(say({ any: ["thing"] })).rejects.toMatchObject({ sample: { text: "..." } });
});

test("only a certain misfit is refused where the next input needs the last output", async () => {
  const text = { cel: "output == null ? 'first' : 'later'" };
  const { say, standing } = await openChat({
    nextInput: { text, stars: "$.signals.message.stars" },
  });
  await standing();
  await expect(say({ stars: 0 })).rejects.toMatchObject({
    message: expect.stringContaining("/stars"),
  });
  await say({ stars: 3 });
  expect(await standing()).toMatchObject({ turns: 2, stopped: null });
});

test("a signal that begins no turn is not held to the input", async () => {
  const { host, run, standing } = await openChat();
  await standing();
  await host.signal(run, { name: "hint", payload: 7, by: "ada", key: "h" });
  expect(await standing()).toMatchObject({ turns: 1, stopped: null });
});
