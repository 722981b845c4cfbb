// A message of a page looks at so many turns that try its words again, and at no more.
import { createLocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type Model,
  ModelError,
  manualClock,
  memoryStores,
} from "@turnseal/ports";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { findFirstTry, findLastTry, isRetry, RETRIES_SHOWN_MAX } from "./retries.ts";

test("a message begins at most RETRIES_SHOWN_MAX turns before a turn", async () => {
  const away: Model = {
    defaultModel: "m",
    generate: async () => {
      throw new ModelError({ code: "MODEL_UNAUTHORIZED", retry: "pause", message: "no" });
    },
  };
  const ask = definePrompt({
    ...{ id: "ask", version: "1.0.0", backend: { id: "desk" } },
    input: jsonSchema<object>({ type: "object" }),
    output: jsonSchema<unknown>(true),
    template: "hello",
  });
  const clock = manualClock();
  const stores = memoryStores(clock);
  const signer = await createMemorySigner();
  const host = createLocalHost({ loops: [ask], stores, signer, clock, models: { desk: away } });
  const run = await host.start(ask, {}, { grant: { grantor: "op", tools: [], budget: {} } });
  const turns = RETRIES_SHOWN_MAX + 2;
  for (let turn = 1; turn <= turns; turn++) {
    await host.advance(run);
    await host.retry(run, { by: "ada" });
  }
  expect((await host.show(run))?.turns).toBe(turns);
  expect(await isRetry({ stores }, run, 1)).toBe(false);
  expect(await isRetry({ stores }, run, 2)).toBe(true);
  expect(await findFirstTry({ stores }, run, turns)).toBe(2);
  expect(await findFirstTry({ stores }, run, turns - 1)).toBe(1);
  expect(await findLastTry({ stores }, run, 1)).toBe(turns - 1);
  expect(await findLastTry({ stores }, run, turns)).toBe(turns);
});
