import { expect, test } from "vitest";
import type { GraphNodeRow, GraphRowChange } from "./graph-store.ts";
import { listMemoryEdges, listMemoryNodes, writeMemoryGraph } from "./memory-graphs.ts";

const row = (id: string, version = 1): GraphNodeRow => ({
  ...{ id, type: "step", status: "pending", version, owner: null, place: null, object: {} },
});
const node = (id: string, version = 1): GraphRowChange => ({
  ...{ kind: "node", node: row(id, version) },
});
const edge = { kind: "DEPENDS_ON", from: "b", to: "a" };

test("a write that is refused at its end has changed nothing", () => {
  const first = { from: 0, changes: [node("a"), node("b"), { kind: "edge", edge } as const] };
  const graph = writeMemoryGraph(undefined, first, 1);
  const changes: GraphRowChange[] = [
    node("a", 2),
    node("a", 3),
    node("c"),
    { kind: "edge", edge: { ...edge, from: "c" } },
    { kind: "edge-removed", edge },
    { kind: "node-removed", id: "b" },
  ];
  const wrong: GraphRowChange = { kind: "edge", edge: { ...edge, to: "nowhere" } };
  const write = { from: 1, changes: [...changes, wrong] };
  expect(() => writeMemoryGraph(graph, write, 2)).toThrow("reference-unknown");
  expect(listMemoryNodes(graph)).toEqual([row("a"), row("b")]);
  expect(listMemoryEdges(graph)).toEqual([edge]);
  const written = writeMemoryGraph(graph, { from: 1, changes }, 2);
  expect(listMemoryNodes(written)).toEqual([row("a", 3), row("c")]);
  expect(listMemoryEdges(written)).toEqual([{ ...edge, from: "c" }]);
});
