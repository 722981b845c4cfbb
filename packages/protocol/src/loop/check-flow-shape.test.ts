// spec/vectors/loop/flow.json has the valid and invalid flows; here are bounds and words.
import { expect, test } from "vitest";
import { FLOW_DEPTH_MAX, FLOW_NODES_MAX, NODE_KINDS } from "./flow-spec.ts";
import { parseLoopDef } from "./parse-loop-def.ts";
import type { Problem } from "./problem.ts";

const call = { kind: "call", loopId: "echo", inputMapping: {} };

function problemsOf(flow: unknown): readonly Problem[] {
  const parsed = parseLoopDef({
    ...{ id: "a", name: "a", version: "1.0.0", inputSchema: true, outputSchema: true },
    ...{ kind: "composite", composite: { flow } },
  });
  return parsed.kind === "refused" ? parsed.problems : [];
}

/** Nodes inside each other, so many deep. */
function nest(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let node: unknown = call;
  for (let level = 1; level < depth; level++) node = wrap(node);
  return node;
}

const wraps: Record<string, (inner: unknown) => unknown> = {
  nodes: (inner) => ({ kind: "sequence", nodes: [inner] }),
  branches: (inner) => ({ kind: "parallel", branches: [inner] }),
  cases: (inner) => ({ kind: "branch", cases: [{ when: "true", do: inner }] }),
  else: (inner) => ({ kind: "branch", cases: [{ when: "true", do: call }], else: inner }),
  rounds: (inner) => ({ kind: "repeat", body: inner, until: "true", max: 1 }),
  items: (inner) => ({ kind: "forEach", items: "$.input.a", body: inner, max: 1 }),
  states: (inner) => ({ kind: "machine", initial: "a", states: { a: { onExit: inner } } }),
  otherwise: (inner) => ({ ...call, otherwise: inner }),
};

test.each(Object.entries(wraps))("%s nest FLOW_DEPTH_MAX deep and no deeper", (_, wrap) => {
  const rulesAt = (depth: number) => new Set(problemsOf(nest(depth, wrap)).map(({ rule }) => rule));
  expect(rulesAt(FLOW_DEPTH_MAX)).toEqual(new Set());
  expect(rulesAt(FLOW_DEPTH_MAX + 1)).toEqual(new Set(["flow-limit"]));
  expect(rulesAt(20_000)).toEqual(new Set(["flow-limit"]));
});

test("a flow that is too deep is told where", () => {
  const [problem] = problemsOf(nest(17, (inner) => ({ kind: "sequence", nodes: [inner] })));
  expect(problem).toEqual({
    rule: "flow-limit",
    path: `/composite/flow${"/nodes/0".repeat(16)}`,
    message: "nodes stand more than 16 deep inside each other",
    mend: "move the inner ones into a composite of their own",
  });
});

test("a flow has FLOW_NODES_MAX nodes and no more, and is told so once", () => {
  const nodes = (length: number) => ({ kind: "sequence", nodes: new Array(length).fill(call) });
  expect(problemsOf(nodes(FLOW_NODES_MAX - 1))).toEqual([]);
  expect(problemsOf(nodes(FLOW_NODES_MAX))).toEqual([
    {
      rule: "flow-limit",
      path: "/composite/flow/nodes/255",
      message: "more than 256 nodes in one flow",
      mend: "move some of them into a composite of their own",
    },
  ]);
  expect(problemsOf(nodes(100_000))).toHaveLength(1);
});

test("a flow that holds itself is refused", () => {
  const one: Record<string, unknown> = { kind: "sequence" };
  one["nodes"] = [one];
  expect(problemsOf(one).map(({ rule }) => rule)).toEqual(["flow-limit"]);
  const many: Record<string, unknown> = { kind: "parallel" };
  many["branches"] = [many, many, many];
  expect(problemsOf(many).every(({ rule }) => rule === "flow-limit")).toBe(true);
  expect(problemsOf(many).length).toBeLessThanOrEqual(FLOW_NODES_MAX);
});

test("a list with holes is refused, however long it is", () => {
  expect(problemsOf({ kind: "sequence", nodes: new Array(4_000_000_000) })).toEqual([
    {
      rule: "field-type",
      path: "/composite/flow/nodes",
      message: "composite/flow/nodes must be a list of objects",
      mend: "write a list of objects",
    },
  ]);
});

test("an unknown kind is told which there are, and which was meant", () => {
  const kinds = "call, sequence, parallel, branch, repeat, forEach, machine, wait";
  expect(NODE_KINDS.join(", ")).toBe(kinds);
  expect(problemsOf({ kind: "forech" })).toEqual([
    {
      rule: "kind-unknown",
      path: "/composite/flow/kind",
      message: "a node of kind `forech` is not known",
      mend: `write forEach, or one of ${kinds}`,
    },
  ]);
  expect(problemsOf({ kind: "graph" })[0]?.mend).toBe(`write one of ${kinds}`);
});

test("an unknown field is told which was meant", () => {
  expect(problemsOf({ ...call, onEror: "skip" })[0]?.mend).toMatch(
    /^write `onError`, or remove it/,
  );
  expect(problemsOf({ ...call, colour: "red" })[0]?.mend).toMatch(/^remove it or move it into/);
});

test("a composite is told that it has steps or a flow", () => {
  const parsed = parseLoopDef({
    ...{ id: "a", name: "a", version: "1.0.0", inputSchema: true, outputSchema: true },
    ...{ kind: "composite", composite: {} },
  });
  expect(parsed.kind === "refused" && parsed.problems[0]?.mend).toBe(
    "add the field `steps` or the field `flow`",
  );
});
