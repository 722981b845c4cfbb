/** The graphs of runs in memory. */
import { invariant } from "@turnseal/protocol";
import type {
  GraphEdgeRow,
  GraphNodeRow,
  GraphRowChange,
  GraphWrite,
} from "@turnseal/protocol/graph";
import { GRAPH_ROWS_MAX } from "./graph-store.ts";

/** The rows of one run. */
export interface MemoryGraph extends Rows {
  readonly sequence: number;
}

interface Rows {
  readonly nodes: Map<string, GraphNodeRow>;
  readonly edges: Map<string, GraphEdgeRow>;
}

/**
 * Writes in place, so that a write costs its changes and not the whole graph. A refused write is
 * undone.
 */
export function writeMemoryGraph(
  known: MemoryGraph | undefined,
  { from, changes }: GraphWrite,
  sequence: number,
): MemoryGraph {
  invariant(from === 0 || from === known?.sequence, "the rows of a graph stand elsewhere");
  const isAnew = from === 0 || known === undefined;
  const { nodes, edges }: Rows = isAnew ? { nodes: new Map(), edges: new Map() } : known;
  const written: Undo[] = [];
  try {
    for (const change of changes) written.push(writeRow({ nodes, edges }, change));
  } catch (error) {
    for (const undo of written.toReversed()) undo();
    throw error;
  }
  return { sequence, nodes, edges };
}

type Undo = () => void;

function writeRow({ nodes, edges }: Rows, change: GraphRowChange): Undo {
  switch (change.kind) {
    case "node": {
      const { node } = change;
      const version = nodes.get(node.id)?.version ?? 0;
      invariant(node.version === version + 1, `version-stale: ${node.id}`);
      return put(nodes, node.id, node);
    }
    case "node-removed":
      invariant(nodes.has(change.id), `node-unknown: ${change.id}`);
      return put(nodes, change.id, undefined);
    case "edge": {
      const { from, to } = change.edge;
      invariant(nodes.has(from) && nodes.has(to), `reference-unknown: ${from} ${to}`);
      return put(edges, keyOf(change.edge), change.edge);
    }
    case "edge-removed":
      return put(edges, keyOf(change.edge), undefined);
  }
}

/** Puts or removes a row, and returns the undo. */
function put<Row>(rows: Map<string, Row>, key: string, row: Row | undefined): Undo {
  const before = rows.get(key);
  if ((before === undefined) !== (row === undefined)) orders.delete(rows);
  if (row === undefined) rows.delete(key);
  else rows.set(key, row);
  return () => {
    orders.delete(rows);
    if (before === undefined) rows.delete(key);
    else rows.set(key, before);
  };
}

/** The keys of rows in their order, until one comes or goes: pages are cut from them. */
const orders = new WeakMap<ReadonlyMap<string, unknown>, readonly string[]>();

function orderOf(rows: ReadonlyMap<string, unknown>): readonly string[] {
  const known = orders.get(rows);
  if (known !== undefined) return known;
  const sorted = [...rows.keys()].sort();
  orders.set(rows, sorted);
  return sorted;
}

/** One page of rows after a key, in the order of keys. */
function cutPage<Row>(rows: ReadonlyMap<string, Row>, after: string): readonly Row[] {
  const keys = orderOf(rows);
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") > after) high = middle;
    else low = middle + 1;
  }
  return keys.slice(low, low + GRAPH_ROWS_MAX).flatMap((key) => rows.get(key) ?? []);
}

export function listMemoryNodes(
  graph: MemoryGraph | undefined,
  after = "",
): readonly GraphNodeRow[] {
  return graph === undefined ? [] : cutPage(graph.nodes, after);
}

export function listMemoryEdges(
  graph: MemoryGraph | undefined,
  after?: GraphEdgeRow,
): readonly GraphEdgeRow[] {
  if (graph === undefined) return [];
  return cutPage(graph.edges, after === undefined ? "" : keyOf(after));
}

function keyOf({ kind, from, to }: GraphEdgeRow): string {
  return `${from} ${kind} ${to}`;
}
