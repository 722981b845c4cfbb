import type { GraphNodeRow, GraphRowChange } from "@turnseal/protocol/graph";
import { expect, test } from "vitest";
import { GRAPH_ROWS_MAX } from "./graph-store.ts";
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

test("pages follow each other in the order of keys, whatever came or went between them", () => {
  const ids = Array.from({ length: 2 * GRAPH_ROWS_MAX }, (_, index) => String(index + 1000));
  const all = { from: 0, changes: ids.toReversed().map((id) => node(id)) };
  const graph = writeMemoryGraph(undefined, all, 1);
  const first = listMemoryNodes(graph).map(({ id }) => id);
  expect(first).toEqual(ids.slice(0, GRAPH_ROWS_MAX));
  const moved = writeMemoryGraph(
    graph,
    { from: 1, changes: [{ kind: "node-removed", id: "2000" }, node("3000"), node("2001", 2)] },
    2,
  );
  const rest = listMemoryNodes(moved, first.at(-1));
  expect(rest.map(({ id }) => id)).toEqual([...ids.slice(GRAPH_ROWS_MAX + 1), "3000"]);
  expect(rest[0]?.version).toBe(2);
});
