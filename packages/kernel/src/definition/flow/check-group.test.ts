import type { FlowNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { GROUP_MEMBERS_MAX } from "../../limits.ts";
import { checkLoop } from "../check-loop.ts";

const call: FlowNode = { kind: "call", loopId: "pay", inputMapping: {} };

function listRules(flow: FlowNode): string[] {
  const document = {
    ...{ id: "desk", name: "desk", version: "1.0.0", kind: "composite" },
    ...{ inputSchema: true, outputSchema: true, composite: { flow } },
  };
  const checked = checkLoop(document, "strict");
  if (checked.kind === "checked") return [];
  return checked.problems.map(({ rule, path }) => `${rule} ${path}`);
}

const group = (...nodes: FlowNode[]): FlowNode => ({ kind: "sequence", group: true, nodes });

test("a group has GROUP_MEMBERS_MAX members at most", () => {
  const most = Array.from({ length: GROUP_MEMBERS_MAX }, () => call);
  expect(listRules(group(...most))).toEqual([]);
  expect(listRules(group(...most, call))).toEqual(["flow-limit /composite/flow/nodes"]);
});

test("a member is a call, and says nothing that the group would have to say", () => {
  expect(listRules(group(call, { kind: "wait", for: { signal: "paid" } }))).toEqual([
    "flow-unfit /composite/flow/nodes/1",
  ]);
  expect(listRules(group({ ...call, onError: "skip" }))).toEqual([
    "flow-unfit /composite/flow/nodes/0/onError",
  ]);
});

test("no member knows what another gave, and what follows does", () => {
  const reads: FlowNode = { ...call, inputMapping: { id: "$.first.output.id" } };
  const first: FlowNode = { ...call, name: "first" };
  expect(listRules(group(first, reads))).toEqual([
    "mapping-root /composite/flow/nodes/1/inputMapping/id",
  ]);
  const { kind: _, ...fields } = group(first) as Extract<FlowNode, { kind: "sequence" }>;
  const mapped: FlowNode = { kind: "sequence", ...fields, outputMapping: { id: "$.first.output" } };
  expect(listRules(mapped)).toEqual([]);
});

test("a group cannot stand in a fan-out", () => {
  expect(listRules({ kind: "parallel", branches: [group(call)] })).toEqual([
    "flow-unfit /composite/flow/branches/0/group",
  ]);
});
