/** The graphs of runs in memory. */
import { invariant } from "@turnseal/protocol";
import {
  GRAPH_ROWS_MAX,
  type GraphEdgeRow,
  type GraphNodeRow,
  type GraphRowChange,
  type GraphWrite,
} from "./graph-store.ts";

/** What is kept of one run. */
export interface MemoryGraph {
  readonly sequence: number;
  readonly nodes: ReadonlyMap<string, GraphNodeRow>;
  readonly edges: ReadonlyMap<string, GraphEdgeRow>;
}

/** The rows after a write, beside those before it: what is refused has changed nothing. */
export function writeMemoryGraph(
  known: MemoryGraph | undefined,
  { from, changes }: GraphWrite,
  sequence: number,
): MemoryGraph {
  invariant(from === 0 || from === known?.sequence, "the rows of a graph stand elsewhere");
  const isAnew = from === 0 || known === undefined;
  const nodes = new Map(isAnew ? [] : known.nodes);
  const edges = new Map(isAnew ? [] : known.edges);
  for (const change of changes) writeRow({ nodes, edges }, change);
  return { sequence, nodes, edges };
}

interface Rows {
  readonly nodes: Map<string, GraphNodeRow>;
  readonly edges: Map<string, GraphEdgeRow>;
}

function writeRow({ nodes, edges }: Rows, change: GraphRowChange): void {
  switch (change.kind) {
    case "node": {
      const { node } = change;
      const version = nodes.get(node.id)?.version ?? 0;
      invariant(node.version === version + 1, `version-stale: ${node.id}`);
      nodes.set(node.id, node);
      break;
    }
    case "node-removed":
      invariant(nodes.delete(change.id), `node-unknown: ${change.id}`);
      break;
    case "edge": {
      const { from, to } = change.edge;
      invariant(nodes.has(from) && nodes.has(to), `reference-unknown: ${from} ${to}`);
      edges.set(keyOf(change.edge), change.edge);
      break;
    }
    case "edge-removed":
      edges.delete(keyOf(change.edge));
      break;
  }
}

export function listMemoryNodes(
  graph: MemoryGraph | undefined,
  after = "",
): readonly GraphNodeRow[] {
  return [...(graph?.nodes.values() ?? [])]
    .filter(({ id }) => id > after)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, GRAPH_ROWS_MAX);
}

export function listMemoryEdges(
  graph: MemoryGraph | undefined,
  after?: GraphEdgeRow,
): readonly GraphEdgeRow[] {
  const start = after === undefined ? "" : keyOf(after);
  return [...(graph?.edges ?? [])]
    .filter(([key]) => key > start)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, edge]) => edge)
    .slice(0, GRAPH_ROWS_MAX);
}

function keyOf({ kind, from, to }: GraphEdgeRow): string {
  return `${from} ${kind} ${to}`;
}
