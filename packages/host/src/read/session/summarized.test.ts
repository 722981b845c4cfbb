/**
 * The entries that a new summary replaces are shown again with an answer of the agent, and with
 * nothing else.
 */
import {
  createMemorySigner,
  manualClock,
  memoryStores,
  type ScriptedReply,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { definePrompt, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { askFor } from "./chat.test.data.ts";
import { readSession } from "./read-session.ts";

const signer = await createMemorySigner();
const output = jsonSchema<JsonValue>(true);
const input = jsonSchema<{ text: string }>({ type: "object" });

const helper = definePrompt({
  ...{ id: "helper", version: "1.0.0", input, output, template: "{{text}}" },
  ...{ thread: true, context: { strategy: "summary", share: 0.25 } },
  policy: { contextTokensMax: 20_000 },
});
const boss = definePrompt({
  ...{ id: "boss", version: "1.0.0", input, output, template: "{{text}}" },
  ...{ tools: [helper], maxRounds: 8 },
});

const long = "word ".repeat(1_750);
const help = askFor(["loop__helper", { text: "Help" }]);

async function converse(loop: Loop<{ text: string }, unknown>, replies: readonly ScriptedReply[]) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const host = createLocalHost({
    ...{ loops: [helper, boss], stores, signer, clock, ids: seededIds("summarized") },
    models: { scripted: scriptedModel(replies) },
  });
  const grant = { grantor: "ada", tools: [], budget: {} };
  const bounds = { awaits: ["message"], nextInput: { text: "$.signals.message" }, turnsMax: 9 };
  const run = await host.start(loop, { text: "Go" }, { key: "one", grant, bounds });
  await host.advance(run);
  const envelopes = async () => (await readSession(stores, run))?.envelopes ?? [];
  const say = async (text: string) => {
    await host.signal(run, { name: "message", payload: text, key: text, by: "ada" });
    await host.advance(run);
  };
  return { envelopes, say, erase: () => stores.blobs.erase(run) };
}

test("what was summarised for another agent is not told as the agent's own", async () => {
  const asked = [long, long, long].flatMap((text) => [help, text]);
  const talk = await converse(boss, [...asked, help, "in short", "fourth", "Done"]);
  const told = await talk.envelopes();
  expect(told.flatMap(({ type, content }) => ("text" in content ? [[type, content]] : []))).toEqual(
    [
      ["user-message", { text: "Go" }],
      ...[long, long, long, "fourth"].map((text) => ["other-agent-message", { text }]),
      ["assistant-message", { text: "Done" }],
    ],
  );
});

test("of words that are erased it is not told", async () => {
  const talk = await converse(helper, [long, long, long, "in short", "fourth"]);
  for (const word of ["two", "three", "four"]) await talk.say(word);
  expect((await talk.envelopes()).at(-1)?.content).toEqual({
    ...{ text: "fourth", summarized: { from: 0, to: 6 } },
  });
  await talk.erase();
  expect((await talk.envelopes()).at(-1)).toMatchObject({ erased: true, content: { text: "" } });
  expect(JSON.stringify(await talk.envelopes())).not.toContain("summarized");
});
