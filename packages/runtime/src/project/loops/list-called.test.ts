import { createRegistry } from "@turnseal/kernel";
import { expect, test } from "vitest";
import { listCalled } from "./list-called.ts";

const open = { version: "1.0.0", inputSchema: true, outputSchema: true };

function listOf(body: object): string[] {
  const answer = createRegistry().register({ ...open, id: "of", name: "of", ...body });
  if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
  return listCalled(answer.loop).map(({ loopId, loopVersion = "" }) => `${loopId}${loopVersion}`);
}

test("a composite calls its steps", () => {
  const steps = [
    { loopId: "a", inputMapping: {} },
    { loopId: "b", inputMapping: {} },
  ];
  expect(listOf({ kind: "composite", composite: { steps } })).toEqual(["a", "b"]);
});

test("a prompt calls the tools that it offers, and its filters", () => {
  const policy = {
    inputFilters: [{ loopId: "before" }],
    outputFilters: [{ loopId: "after", loopVersion: "2.0.0" }],
  };
  const prompt = { template: "Say", variables: [], tools: [{ loopId: "a" }] };
  expect(listOf({ kind: "prompt", prompt, policy })).toEqual(["a", "before", "after2.0.0"]);
});
