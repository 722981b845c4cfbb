/** Questions to a graph. Every answer has a limit. */
import type { ObjectType } from "@turnseal/protocol/graph";
import { type Edge, type EdgeKind, type Graph, type GraphNode, statusOf } from "./graph.ts";

/** Nodes or edges of one answer. */
export const GRAPH_ANSWER_MAX = 1000;
/** How many edges away from its start a traversal goes. */
export const TRAVERSE_DEPTH_MAX = 32;

export interface Limited<Item> {
  readonly items: readonly Item[];
  /** There is more than this. */
  readonly isCut: boolean;
}

export function findNode({ entries }: Graph, id: string): GraphNode | undefined {
  return entries.get(id)?.node;
}

/** Equal for graphs with equal content, after any order of changes. */
export function readStateHash({ hashes }: Graph): string {
  return hashes.read();
}

export type Direction = "outgoing" | "incoming";

/** The edges of a node, in the order in which they were drawn. */
export function listEdges(
  { entries }: Graph,
  id: string,
  { direction, kinds }: { readonly direction: Direction; readonly kinds?: readonly EdgeKind[] },
): Limited<Edge> {
  const edges = entries.get(id)?.[direction].values() ?? [];
  return limit(edges, ({ kind }) => kinds?.includes(kind) ?? true);
}

export interface Way {
  readonly kinds: readonly EdgeKind[];
  readonly direction: Direction;
  readonly depth: number;
}

/** The nodes that are reached from one, nearest first, without it. */
export function traverse(graph: Graph, start: string, way: Way): Limited<GraphNode> {
  const { direction, kinds } = way;
  const depth = Math.min(way.depth, TRAVERSE_DEPTH_MAX);
  const distances = new Map([[start, 0]]);
  for (const [id, distance] of distances) {
    if (distance === depth) break;
    for (const edge of graph.entries.get(id)?.[direction].values() ?? []) {
      const next = direction === "outgoing" ? edge.to : edge.from;
      if (!kinds.includes(edge.kind) || distances.has(next)) continue;
      // One more than fits is enough to know that there is more.
      if (distances.size > GRAPH_ANSWER_MAX + 1) break;
      distances.set(next, distance + 1);
    }
  }
  distances.delete(start);
  const nodes = [...distances.keys()].flatMap((id) => findNode(graph, id) ?? []);
  return limit(nodes, () => true);
}

export interface Question {
  readonly type: ObjectType;
  /** Only what is part of this plan or trace, or belongs to this context. */
  readonly within: string;
  readonly status?: string;
}

/** The nodes of a type below a plan, a trace or a context. */
export function queryNodes(graph: Graph, { type, within, status }: Question): Limited<GraphNode> {
  return limit(
    listBelow(graph, within),
    (node) => node.type === type && (status === undefined || statusOf(node) === status),
  );
}

function* listBelow({ entries }: Graph, within: string): Generator<GraphNode> {
  const { outgoing, incoming } = entries.get(within) ?? {};
  for (const { kind, to } of outgoing?.values() ?? []) {
    const node = kind === "CONTAINS" ? entries.get(to)?.node : undefined;
    if (node !== undefined) yield node;
  }
  for (const { kind, from } of incoming?.values() ?? []) {
    const isBelow = kind === "HAS_CONTEXT" || kind === "TRACES";
    const node = isBelow ? entries.get(from)?.node : undefined;
    if (node !== undefined) yield node;
  }
}

function limit<Item>(items: Iterable<Item>, isMeant: (item: Item) => boolean): Limited<Item> {
  const found: Item[] = [];
  for (const item of items) {
    if (!isMeant(item)) continue;
    if (found.length === GRAPH_ANSWER_MAX) return { items: found, isCut: true };
    found.push(item);
  }
  return { items: found, isCut: false };
}
