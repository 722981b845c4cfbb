import { expect, test } from "vitest";
import { compilePlan } from "./compile-plan.ts";
import type { PlanDocument } from "./plan-document.ts";

const plan: PlanDocument = {
  title: "words of a person",
  steps: [
    { id: "find", loop: "look", version: "1.2.3", input: { "a b": "secret" } },
    { id: "left", loop: "work", input: { at: { from: "$.find.output.list[0]" } } },
    { id: "right", loop: "work", after: ["find"] },
    { id: "maybe", loop: "work", after: ["find"], critical: false },
    { id: "tell", loop: "work", input: { l: { from: "$.right.output" } }, after: ["maybe"] },
  ],
};

test("a plan becomes a flow that asks first, and has no word of its writer", () => {
  const { id, version, composite, ...rest } = compilePlan(plan);
  expect(id).toMatch(/^plan-[0-9a-f]{32}$/);
  expect(version).toBe("1.0.0");
  expect(rest).toMatchObject({ kind: "composite", inputSchema: { type: "object" } });
  expect(composite?.flow).toEqual({
    kind: "sequence",
    nodes: [
      {
        kind: "call",
        loopId: "turnseal.plan",
        loopVersion: "1.0.0",
        inputMapping: {
          document: "$.input",
          steps: {
            const: [
              { path: "/flow/nodes/1", loop: "look", after: [] },
              { path: "/flow/nodes/2/branches/0", loop: "work", after: [0] },
              { path: "/flow/nodes/2/branches/1", loop: "work", after: [0] },
              { path: "/flow/nodes/3", loop: "work", after: [0] },
              { path: "/flow/nodes/4", loop: "work", after: [3, 2] },
            ],
          },
        },
      },
      {
        kind: "call",
        name: "step0",
        loopId: "look",
        loopVersion: "1.2.3",
        inputMapping: { "a b": '$.input.steps[0].input["a b"]' },
      },
      {
        kind: "parallel",
        name: "level1",
        branches: [
          { kind: "call", loopId: "work", inputMapping: { at: "$.step0.output.list[0]" } },
          { kind: "call", loopId: "work", inputMapping: {} },
        ],
      },
      { kind: "call", name: "step3", loopId: "work", inputMapping: {}, critical: false },
      {
        kind: "call",
        name: "step4",
        loopId: "work",
        inputMapping: { l: "$.level1.output[1]" },
        when: 'step3.status == "ok"',
      },
    ],
  });
});

test("other words are the same loop, and another order is another", () => {
  const { id } = compilePlan(plan);
  expect(
    compilePlan({ ...plan, steps: plan.steps.map((step) => ({ ...step, description: "x" })) }).id,
  ).toBe(id);
  expect(compilePlan({ steps: plan.steps.slice(0, 4) }).id).not.toBe(id);
});
