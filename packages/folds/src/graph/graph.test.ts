import { readFileSync } from "node:fs";
import { uuidFrom } from "@turnseal/protocol";
import { GUARDS } from "@turnseal/protocol/graph";
import { describe, expect, test } from "vitest";
import { applyChange } from "./apply-change.ts";
import { createGraph, type Graph, statusOf } from "./graph.ts";
import { GRAPH_REFUSALS, type GraphChange } from "./graph-change.ts";
import { createHashTree } from "./hash-tree.ts";
import {
  GRAPH_ANSWER_MAX,
  queryNodes,
  readStateHash,
  TRAVERSE_DEPTH_MAX,
  traverse,
} from "./read-graph.ts";

const meta = { protocol_version: "1.0.0", schema_version: "2.0.0" };
const context = uuidFrom("context");
const plan = uuidFrom("plan");
const idOf = (step: number) => uuidFrom(`step ${step}`);

function stepOf(at: number, dependencies: readonly number[] = []): object {
  const named = { dependencies: dependencies.map(idOf) };
  return { step_id: idOf(at), description: "Pack", status: "pending", ...named };
}

function createPlan(steps: readonly object[]): Graph {
  const graph = createGraph();
  const root = { domain: "shop", environment: "test" };
  const changes: readonly GraphChange[] = [
    {
      kind: "put",
      type: "context",
      object: { meta, context_id: context, root, title: "Shop", status: "draft" },
    },
    {
      kind: "put",
      type: "plan",
      object: {
        ...{ meta, plan_id: plan, context_id: context, title: "Ship", objective: "Shipped" },
        ...{ status: "draft", steps },
      },
    },
  ];
  for (const change of changes) expect(applyChange(graph, change).kind).toBe("changed");
  return graph;
}

describe("limits", () => {
  test("an answer has GRAPH_ANSWER_MAX nodes, and says when there are more", () => {
    const steps = Array.from({ length: GRAPH_ANSWER_MAX }, (_, at) => stepOf(at));
    const graph = createPlan(steps);
    const question = { type: "step", within: plan } as const;
    const way = { kinds: ["CONTAINS"], direction: "outgoing", depth: 1 } as const;
    for (const { items, isCut } of [queryNodes(graph, question), traverse(graph, plan, way)])
      expect([items.length, isCut]).toEqual([GRAPH_ANSWER_MAX, false]);
    applyChange(graph, { kind: "add", to: plan, object: stepOf(GRAPH_ANSWER_MAX) });
    for (const { items, isCut } of [queryNodes(graph, question), traverse(graph, plan, way)])
      expect([items.length, isCut]).toEqual([GRAPH_ANSWER_MAX, true]);
  });

  test("nobody goes further than TRAVERSE_DEPTH_MAX", () => {
    const length = TRAVERSE_DEPTH_MAX + 2;
    const steps = Array.from({ length }, (_, at) => stepOf(at, at === 0 ? [] : [at - 1]));
    const way = { kinds: ["DEPENDS_ON"], direction: "outgoing", depth: length } as const;
    const { items } = traverse(createPlan(steps), idOf(length - 1), way);
    expect(items).toHaveLength(TRAVERSE_DEPTH_MAX);
    expect(items.at(-1)?.id).toBe(idOf(length - 1 - TRAVERSE_DEPTH_MAX));
  });
});

test("every refusal is the expectation of a vector", () => {
  const folder = new URL("../../../../spec/vectors/graph/", import.meta.url);
  const text = readFileSync(new URL("graph-changes.json", folder), "utf8");
  for (const rule of [...GRAPH_REFUSALS, ...GUARDS]) expect(text).toContain(`"rule": "${rule}"`);
});

describe("after any changes", () => {
  test.each([1, 2, 3])("what is kept is what a whole scan says (seed %i)", (seed) => {
    const count = 12;
    const graph = createPlan(Array.from({ length: count }, (_, at) => stepOf(at)));
    const draw = createDraw(seed);
    let refused = 0;
    for (let index = 0; index < 400; index++) {
      const before = readStateHash(graph);
      const answer = applyChange(graph, drawChange(draw, count));
      if (answer.kind === "refused") expect(readStateHash(graph)).toBe(before);
      if (answer.kind === "refused") refused += 1;
      checkWhole(graph);
    }
    expect(refused).toBeGreaterThan(20);
    expect(refused).toBeLessThan(380);
  });
});

/** A generator of Lehmer: the same numbers for the same seed. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function drawChange(draw: (below: number) => number, count: number): GraphChange {
  const at = draw(count);
  const dependencies = Array.from({ length: draw(3) }, () => draw(count));
  switch (draw(4)) {
    case 0:
      return { kind: "add", to: plan, object: stepOf(at, dependencies) };
    case 1:
      return { kind: "remove", id: idOf(at) };
    default:
      return { kind: "edit", id: idOf(at), fields: { dependencies: dependencies.map(idOf) } };
  }
}

function checkWhole(graph: Graph): void {
  const again = createHashTree();
  let edges = 0;
  const statuses = new Map<string, number>();
  for (const { node, outgoing, order } of [...graph.entries.values()].reverse()) {
    const { id, type, object, owner = null, place = null } = node;
    again.put(id, () => JSON.stringify(sortKeys({ type, owner, place, object })));
    edges += outgoing.size;
    if (type === "step") statuses.set(statusOf(node), (statuses.get(statusOf(node)) ?? 0) + 1);
    for (const { kind, to } of outgoing.values()) {
      const other = graph.entries.get(to);
      expect(other?.incoming.has(`${kind} ${id}`)).toBe(true);
      if (kind === "DEPENDS_ON") expect(other?.order).toBeLessThan(order);
    }
  }
  expect(again.read()).toBe(readStateHash(graph));
  expect(graph.edgeCount).toBe(edges);
  expect(graph.entries.get(plan)?.steps).toEqual(statuses);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sortKeys(item)]));
}
