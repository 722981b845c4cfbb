/** Holds the Postgres stores to the vectors of append answers (spec/log.md §3 and §4). */
import { readFileSync } from "node:fs";
import { type LogStep, runSteps } from "@turnseal/ports/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createScratch, type Scratch } from "./scratch-database.test.data.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

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
  const stores = await scratch.open();
  expect(await runSteps(stores, input.run, input.steps)).toEqual(expected.answers);
  expect((await stores.log.readHead(input.run)) ?? null).toEqual(expected.head);
  await stores.close();
});
