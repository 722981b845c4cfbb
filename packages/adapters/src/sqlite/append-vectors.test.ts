/** Holds the SQLite stores to the vectors of append answers (spec/log.md §3 and §4). */
import { readFileSync } from "node:fs";
import { type LogStep, runSteps } from "@turnseal/ports/contracts";
import { afterEach, expect, test } from "vitest";
import { cleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";

afterEach(cleanUp);

interface AppendVector {
  readonly description: string;
  readonly input: { readonly run: string; readonly steps: readonly LogStep[] };
  readonly expect: { readonly answers: readonly unknown[]; readonly head: unknown };
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../../spec/vectors/log/append.json", import.meta.url), "utf8"),
) as AppendVector[];
const cases = vectors.map((vector) => [vector.description, vector] as const);

test.each(cases)("%s", async (_, { input, expect: expected }) => {
  const { log, inbox } = openScratch();
  expect(await runSteps({ log, inbox }, input.run, input.steps)).toEqual(expected.answers);
  expect((await log.readHead(input.run)) ?? null).toEqual(expected.head);
});

test.each(cases)("opened again for every step: %s", async (_, { input, expect: expected }) => {
  const file = scratchFile();
  const answers: unknown[] = [];
  for (const step of input.steps) {
    const stores = openScratch({ file });
    answers.push(...(await runSteps(stores, input.run, [step])));
    stores.close();
  }
  expect(answers).toEqual(expected.answers);
});
