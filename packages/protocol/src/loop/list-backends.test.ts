import { expect, test } from "vitest";
import { listBackends } from "./list-backends.ts";
import type { LoopDef } from "./loop-def.ts";

const prompt = { id: "ask", kind: "prompt" } as unknown as LoopDef;

test("a prompt is asked at its backend, or by its routes in their order", () => {
  const backend = { id: "openai", model: "large" };
  expect(listBackends({ ...prompt, backend })).toEqual([backend]);
  const routes = [{ id: "near", when: { path: "$.input.a", equals: 1 } }, { id: "far" }];
  expect(listBackends({ ...prompt, backend, policy: { routes } })).toEqual([
    { id: "near" },
    { id: "far" },
  ]);
});

test("a prompt that names nothing is asked at `scripted`, and any other where it says", () => {
  expect(listBackends(prompt)).toEqual([{ id: "scripted" }]);
  expect(listBackends({ ...prompt, backend: { id: "mock" } })).toEqual([{ id: "mock" }]);
  const routed = { ...prompt, policy: { routes: [{ id: "mock" }] } };
  expect(listBackends(routed)).toEqual([{ id: "mock" }]);
});
