/**
 * How a graph is written: nodes with their edges, hashes and counts. It checks nothing, and cannot
 * fail.
 */
import {
  type Edge,
  edgeKey,
  type Graph,
  type GraphNode,
  type NodeEntry,
  statusOf,
} from "./graph.ts";
import type { AnyObject } from "./graph-change.ts";
import { renderNode, toNodeRow } from "./graph-rows.ts";
import { listReferences } from "./list-references.ts";

/** A node without edges: what it names may come in the same change. */
export function addNode(graph: Graph, node: Omit<GraphNode, "version">): NodeEntry {
  const entry: NodeEntry = {
    node: { ...node, version: 1 },
    outgoing: new Map(),
    incoming: new Map(),
    order: graph.nextOrder,
    steps: new Map(),
    nextPlace: 0,
  };
  graph.nextOrder += 1;
  graph.entries.set(node.id, entry);
  writeHash(graph, entry);
  countStep(graph, entry.node, 1);
  tellNode(graph, entry);
  return entry;
}

export function removeNode(graph: Graph, { node, outgoing, incoming }: NodeEntry): void {
  for (const edge of [...outgoing.values(), ...incoming.values()]) removeEdge(graph, edge);
  countStep(graph, node, -1);
  graph.entries.delete(node.id);
  graph.hashes.remove(node.id);
  graph.onWritten?.({ kind: "node-removed", id: node.id });
}

export function replaceObject(graph: Graph, entry: NodeEntry, object: AnyObject): void {
  countStep(graph, entry.node, -1);
  entry.node = { ...entry.node, object, version: entry.node.version + 1 };
  countStep(graph, entry.node, 1);
  writeHash(graph, entry);
  tellNode(graph, entry);
}

/** A part of it came or went. */
export function touchNode(graph: Graph, entry: NodeEntry): void {
  entry.node = { ...entry.node, version: entry.node.version + 1 };
  tellNode(graph, entry);
}

function tellNode({ onWritten }: Graph, { node }: NodeEntry): void {
  onWritten?.({ kind: "node", node: toNodeRow(node) });
}

/** Draws the edges of a node's references, and removes those that it has no more. */
export function connect(graph: Graph, { node, outgoing }: NodeEntry): void {
  const wanted = new Map<string, Edge>();
  for (const { kind, id } of listReferences(node.type, node.object))
    wanted.set(edgeKey(kind, id), { kind, from: node.id, to: id });
  for (const [key, edge] of outgoing)
    if (edge.kind !== "CONTAINS" && !wanted.has(key)) removeEdge(graph, edge);
  for (const edge of wanted.values()) addEdge(graph, edge);
}

/** A node that is a part of another. */
export function addPart(
  graph: Graph,
  owner: NodeEntry,
  part: Pick<GraphNode, "id" | "type" | "object">,
): NodeEntry {
  const entry = addNode(graph, { ...part, owner: owner.node.id, place: owner.nextPlace });
  owner.nextPlace += 1;
  addEdge(graph, { kind: "CONTAINS", from: owner.node.id, to: part.id });
  return entry;
}

function addEdge(graph: Graph, edge: Edge): void {
  const from = graph.entries.get(edge.from);
  const key = edgeKey(edge.kind, edge.to);
  if (from === undefined || from.outgoing.has(key)) return;
  from.outgoing.set(key, edge);
  graph.entries.get(edge.to)?.incoming.set(edgeKey(edge.kind, edge.from), edge);
  graph.edgeCount += 1;
  graph.onWritten?.({ kind: "edge", edge });
}

function removeEdge(graph: Graph, edge: Edge): void {
  if (graph.entries.get(edge.from)?.outgoing.delete(edgeKey(edge.kind, edge.to)) !== true) return;
  graph.entries.get(edge.to)?.incoming.delete(edgeKey(edge.kind, edge.from));
  graph.edgeCount -= 1;
  graph.onWritten?.({ kind: "edge-removed", edge });
}

function countStep({ entries }: Graph, node: GraphNode, by: 1 | -1): void {
  const steps = node.type === "step" ? entries.get(node.owner ?? "")?.steps : undefined;
  steps?.set(statusOf(node), (steps.get(statusOf(node)) ?? 0) + by);
}

function writeHash({ hashes }: Graph, { node }: NodeEntry): void {
  hashes.put(node.id, () => renderNode(toNodeRow(node)));
}
