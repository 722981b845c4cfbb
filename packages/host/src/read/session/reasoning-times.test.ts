import {
  createMemorySigner,
  type Model,
  manualClock,
  memoryLiveBus,
  memoryStores,
  seededIds,
} from "@turnseal/ports";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { readSession } from "./read-session.ts";

const signer = await createMemorySigner();
const chat = definePrompt({
  ...{ id: "chat", version: "1.0.0", template: "{{text}}" },
  input: jsonSchema<{ text: string }>(true),
  output: jsonSchema<unknown>(true),
});

/** A model that takes its time over each part, and says nothing before it is written. */
function slowModel(pass: (ms: number) => void): Model {
  const parts = [
    { kind: "reasoning", text: "They greet me", ms: 1_500 },
    { kind: "text", text: "Good day", ms: 300 },
    { kind: "reasoning", text: "", ms: 0 },
    { kind: "reasoning", text: "Was that polite?", ms: 700 },
  ] as const;
  return {
    defaultModel: "slow",
    generate: async ({ onDelta }) => {
      pass(9_000);
      for (const [part, { kind, text, ms }] of parts.entries()) {
        if (text !== "") onDelta?.({ kind, part, text });
        pass(ms);
      }
      const content = parts.map(({ kind, text }) => ({ kind, text }));
      return { content, finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}

async function thoughtsOf(isWatched: boolean): Promise<unknown[]> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const live = isWatched ? { live: memoryLiveBus() } : {};
  const models = { scripted: slowModel((ms) => clock.advance(ms)) };
  const ids = seededIds("thoughts");
  const host = createLocalHost({ loops: [chat], stores, signer, clock, ids, models, ...live });
  const grant = { grantor: "ada", tools: [], budget: {} };
  const run = await host.start(chat, { text: "Hello" }, { grant });
  await host.drive(run);
  for await (const { replayed } of host.replay(run)) expect(replayed.kind).toBe("identical");
  const { envelopes = [] } = (await readSession(stores, run)) ?? {};
  return envelopes.flatMap(({ type, content }) => (type === "reasoning" ? [content] : []));
}

test("a thought says how long the model wrote at it, where its answer came in pieces", async () => {
  expect(await thoughtsOf(true)).toEqual([
    { text: "They greet me", durationMs: 1_500 },
    { text: "Was that polite?", durationMs: 700 },
  ]);
});

test("where nobody watches, nothing comes in pieces, and no time is made up", async () => {
  expect(await thoughtsOf(false)).toEqual([
    { text: "They greet me" },
    { text: "Was that polite?" },
  ]);
});
