import type { Effect } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { checkGroupMembers } from "./check-group-members.ts";
import { createRegistry } from "./registry.ts";

const loop = { version: "1.0.0", inputSchema: true, outputSchema: true };
const registry = createRegistry();
const pay = {
  ...loop,
  id: "pay",
  name: "pay",
  kind: "tool",
  tool: { implementation: "local.pay" },
};
const node = { kind: "call", loopId: "pay", inputMapping: {} };
const desk = {
  ...{ ...loop, id: "desk", name: "desk", kind: "composite" },
  composite: { flow: { kind: "sequence", group: true, nodes: [node] } },
};
const outer = {
  ...{ ...loop, id: "outer", name: "outer", kind: "composite" },
  composite: {
    flow: { kind: "sequence", group: true, nodes: [{ ...node, loopId: "desk" }] },
  },
};
for (const document of [pay, desk, outer]) registry.register(document);

function listProblems(id: string, effect: Effect, more: { artifacts?: { root: string } } = {}) {
  const checked = registry.resolve(id);
  if (checked === undefined) throw new Error(`${id} is not there`);
  const problems = checkGroupMembers(checked, registry.resolve, () => ({ effect, ...more }));
  return problems.map(({ rule, path }) => ({ rule, path }));
}

const refused = [{ rule: "group-member", path: "/composite/flow/nodes/0/loopId" }];

test.each(["read", "once"] as const)("a tool that is %s is no member", (effect) => {
  expect(listProblems("desk", effect)).toEqual(refused);
});

test.each(["idempotent", "reconcile"] as const)("a tool that is %s may be one", (effect) => {
  expect(listProblems("desk", effect)).toEqual([]);
});

test("a tool that changes files is no member: a group could not take them back", () => {
  expect(listProblems("desk", "idempotent", { artifacts: { root: "site" } })).toEqual(refused);
});

test("what is no tool is no member", () => {
  expect(listProblems("outer", "idempotent")).toEqual(refused);
});
