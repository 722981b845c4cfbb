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

test("none, mock and scripted are the same", () => {
  expect(listBackends(prompt)).toEqual([{ id: "scripted" }]);
  for (const id of ["mock", "scripted"]) {
    expect(listBackends({ ...prompt, backend: { id } })).toEqual([{ id: "scripted" }]);
    const routed = { ...prompt, policy: { routes: [{ id }] } };
    expect(listBackends(routed)).toEqual([{ id: "scripted" }]);
  }
});
