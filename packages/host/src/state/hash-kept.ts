import { hashRows } from "@turnseal/folds/graph";
import { GRAPH_ROWS_MAX, type GraphStore } from "@turnseal/ports";
import type { GraphNodeRow } from "@turnseal/protocol/graph";

/** How many nodes are kept of a run's graph, and the state hash that they give. */
export async function hashKept(
  graphs: Pick<GraphStore, "listNodes">,
  run: string,
): Promise<{ readonly count: number; readonly hash: string }> {
  const nodes: GraphNodeRow[] = [];
  for (;;) {
    const page = await graphs.listNodes(run, nodes.at(-1)?.id);
    nodes.push(...page);
    if (page.length < GRAPH_ROWS_MAX) return { count: nodes.length, hash: hashRows(nodes) };
  }
}
