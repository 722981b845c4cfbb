/** Holds the memory to the vectors of append answers (spec/log.md §3 and §4). */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { memorySubject } from "../memory-subject.test.data.ts";
import { type LogStep, runSteps } from "./run-steps.ts";

interface AppendVector {
  readonly description: string;
  readonly input: { readonly run: string; readonly steps: readonly LogStep[] };
  readonly expect: { readonly answers: readonly unknown[]; readonly head: unknown };
}

const file = new URL("../../../../../spec/vectors/log/append.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as AppendVector[];

describe("vectors/log/append.json", () => {
  test.each(vectors.map((vector) => [vector.description, vector] as const))(
    "%s",
    async (_, { input, expect: expected }) => {
      const { stores } = memorySubject();
      expect(await runSteps(stores, input.run, input.steps)).toEqual(expected.answers);
      expect((await stores.log.readHead(input.run)) ?? null).toEqual(expected.head);
    },
  );
});

test("every answer of an append has a vector", () => {
  const answers = vectors.flatMap(({ expect: { answers: given } }) => given);
  const kinds = answers.map((answer) =>
    typeof answer === "string" ? answer : (answer as { kind?: string }).kind,
  );
  for (const kind of ["appended", "duplicate", "conflict", "fenced", "refused"])
    expect(kinds).toContain(kind);
});

test("a store that fails otherwise is not taken for one that refuses", async () => {
  const { stores } = memorySubject(({ log }) => ({
    log: { ...log, append: () => Promise.reject(new Error("the disk is gone")) },
  }));
  const step: LogStep = { op: "append", epoch: 1, after: { sequence: 0, hash: "" }, events: [] };
  await expect(runSteps(stores, "run", [step])).rejects.toThrow("the disk is gone");
});
