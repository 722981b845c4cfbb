// Two processes on one file: the log says to both of them which turn takes a message.
import { createLocalHost, readContent } from "@turnseal/host";
import { createMemorySigner, scriptedModel } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { afterEach, expect, test } from "vitest";
import { cleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";

afterEach(cleanUp);

const say = definePrompt({
  ...{ id: "say", version: "1.0.0", backend: { id: "desk" }, template: "{{text}}" },
  input: jsonSchema<{ readonly text: string }>({ type: "object" }),
  output: jsonSchema<JsonValue>(true),
});

test("messages that several processes send at once each have a turn of their own", async () => {
  const file = scratchFile();
  const signer = await createMemorySigner();
  const open = () => {
    const stores = openScratch({ file });
    const host = createLocalHost({
      loops: [say],
      stores,
      signer,
      models: { desk: scriptedModel() },
    });
    return { stores, host };
  };
  const [one, other] = [open(), open()];
  const grant = { grantor: "op", tools: [], budget: {} };
  const nextInput = { text: "$.signals.message.text" };
  const bounds = { awaits: ["message"], nextInput, turnsMax: 50 };
  const run = await one.host.start(say, { text: "first" }, { grant, bounds });
  const words = Array.from({ length: 8 }, (_, index) => `word ${index}`);
  const driven = one.host.driveNow(run);
  const told = await Promise.all(
    words.map(async (text, index) => {
      const { host } = index % 2 === 0 ? one : other;
      const payload = { text };
      const answer = await host.signal(run, { name: "message", payload, key: text, by: "ada" });
      return answer.kind === "refused" ? "" : answer.message;
    }),
  );
  await driven;
  await other.host.driveNow(run);
  const events = await other.stores.log.read(run, 1, 1_000);
  const turns: number[] = [];
  for (const [index, message] of told.entries()) {
    const state = await other.host.showMessage(run, message);
    if (state?.kind !== "taken") throw new Error(`${message} is ${state?.kind}`);
    turns.push(state.turn);
    const started = events.find(
      (event) => event.type === "turn.started" && event.turn === state.turn,
    );
    if (started?.type !== "turn.started") throw new Error("the turn did not start");
    const input = await readContent(other.stores, run, started.content.input);
    expect(input).toEqual({ text: words[index] });
  }
  expect(turns.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});
