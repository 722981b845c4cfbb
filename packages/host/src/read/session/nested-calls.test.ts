/** Sessions of turns in which more happens than one prompt with its tools. */
import {
  createMemorySigner,
  manualClock,
  memoryStores,
  type ScriptedReply,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import {
  defineComposite,
  definePrompt,
  defineTool,
  jsonSchema,
  type Loop,
} from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { askFor, askToSave } from "./chat.test.data.ts";
import { readSession } from "./read-session.ts";

const signer = await createMemorySigner();
const anything = jsonSchema<JsonValue>(true);

const write = () => ({ saved: true });
const save = defineTool({
  ...{ id: "save", version: "1.0.0", input: anything, output: anything, effect: "once" },
  run: write,
});
const keep = defineTool({
  ...{ id: "keep", version: "1.0.0", output: anything, effect: "once" },
  input: jsonSchema<{ text: string }>({ type: "object" }),
  implementation: "local.save",
  run: write,
});
const helper = definePrompt({
  ...{ id: "helper", version: "1.0.0", input: jsonSchema<{ text: string }>(true) },
  output: anything,
  template: "{{text}}",
  tools: [save],
});
const boss = definePrompt({
  ...{ id: "boss", version: "1.0.0", input: jsonSchema<{ text: string }>(true) },
  output: anything,
  template: "{{text}}",
  tools: [helper],
});
const saveAndTell = defineComposite({
  ...{ id: "save-and-tell", version: "1.0.0", output: anything },
  input: jsonSchema<{ text: string }>({ type: "object" }),
  steps: (steps) =>
    steps
      .call("kept", keep, ({ input }) => ({ text: input.text }))
      .call("said", helper, ({ input }) => ({ text: input.text })),
});

async function converse(loop: Loop<{ text: string }, unknown>, replies: readonly ScriptedReply[]) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const host = createLocalHost({
    ...{
      loops: [save, helper, boss, keep, saveAndTell],
      stores,
      signer,
      clock,
      ids: seededIds("nested"),
    },
    models: { scripted: scriptedModel(replies) },
  });
  const grant = { grantor: "ada", tools: ["local.save"], budget: {} };
  const run = await host.start(loop, { text: "Go" }, { key: "one", grant, policy: askToSave });
  await host.advance(run);
  const told = async () =>
    ((await readSession(stores, run))?.envelopes ?? []).map(({ type, content }) => [type, content]);
  return { host, run, told };
}

async function approve({ host, run }: Awaited<ReturnType<typeof converse>>): Promise<void> {
  const [request] = await host.requests(run);
  await host.decide(run, request?.id ?? "", { choice: "approve", by: { id: "ada", roles: [] } });
  await host.advance(run);
}

test("a prompt that serves another is another agent, and what it asks for is shown", async () => {
  const talk = await converse(boss, [
    askFor(["loop__helper", { text: "Help" }]),
    askFor(["local__save", { page: 1 }]),
    "I have helped",
    "Done",
  ]);
  expect((await talk.told()).at(-1)?.[1]).toMatchObject({ approvalStatus: "pending_approval" });
  await approve(talk);
  const told = await talk.told();
  expect(told.map(([type]) => type)).toEqual([
    ...["user-message", "tool-call", "tool-call", "tool-call"],
    ...["tool-result", "other-agent-message", "tool-result", "assistant-message"],
  ]);
  expect(told[5]?.[1]).toEqual({ text: "I have helped" });
  expect(told[6]?.[1]).toMatchObject({
    toolName: "loop__helper",
    result: { text: "I have helped" },
  });
});

test("a tool that no model asked for is shown by the id of its call", async () => {
  const talk = await converse(saveAndTell, ["Told"]);
  await approve(talk);
  const told = await talk.told();
  expect(told.map(([type]) => type)).toEqual([
    ...["user-message", "tool-call", "tool-call", "tool-result", "assistant-message"],
  ]);
  expect(told[1]?.[1]).toMatchObject({
    toolCallId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...{ toolName: "local.save", args: { text: "Go" }, readOnly: false },
  });
});
