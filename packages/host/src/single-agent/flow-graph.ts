/**
 * The graph of one flow, and what is said of each change of it: that a plan, a step or a context
 * has another status (`pipeline_stage`), and that nodes or edges came or went (`graph_update`).
 */
import { isPlainObject, type JsonObject } from "@turnseal/protocol";
import { LIFECYCLES } from "@turnseal/protocol/graph";
import { applyChange } from "../graph/apply-change.ts";
import { createGraph, type Graph } from "../graph/graph.ts";
import type { Changed, GraphChange, Refused, WholeType } from "../graph/graph-change.ts";

/** Says something of a flow; what every event has comes with it. */
export type TellFlow = (type: string, fields: JsonObject) => void;

export interface FlowGraph {
  readonly graph: Graph;
  apply(change: GraphChange): Changed | Refused;
  /**
   * Adds an object, and gives it the status that it says it has, as its life allows: what was made
   * elsewhere cannot be born approved.
   */
  put(type: WholeType, object: unknown): Changed | Refused;
}

/** What a status is as a stage. */
const stages: Readonly<Record<string, string>> = {
  ...{ draft: "pending", proposed: "pending", approved: "pending", pending: "pending" },
  ...{ blocked: "pending", suspended: "pending", active: "running", in_progress: "running" },
  ...{ completed: "completed", archived: "completed", closed: "completed", failed: "failed" },
  ...{ cancelled: "failed", skipped: "skipped" },
};
const staged: ReadonlySet<string> = new Set(["plan", "step", "context"]);

export function createFlowGraph(
  ids: { readonly pipeline: string; readonly graph: string },
  tell: TellFlow,
): FlowGraph {
  const graph = createGraph();
  const apply = (change: GraphChange): Changed | Refused => {
    const answer = applyChange(graph, change);
    if (answer.kind === "changed") tellChange(answer, ids, tell);
    return answer;
  };
  return {
    graph,
    apply,
    put: (type, object) => {
      const initial = type === "role" ? undefined : LIFECYCLES[type].initial;
      if (!isPlainObject(object) || initial === undefined)
        return apply({ kind: "put", type, object });
      const { status } = object;
      const added = apply({ kind: "put", type, object: { ...object, status: initial } });
      if (added.kind === "refused" || status === initial) return added;
      return apply({ kind: "move", id: String(object[`${type}_id`]), to: String(status) });
    },
  };
}

function tellChange(
  { statuses, nodeDelta, edgeDelta }: Changed,
  ids: { readonly pipeline: string; readonly graph: string },
  tell: TellFlow,
): void {
  for (const { id, type, from, to } of statuses) {
    if (!staged.has(type)) continue;
    tell(`${type}_status_changed`, {
      event_family: "pipeline_stage",
      ...{ pipeline_id: ids.pipeline, stage_id: id, stage_status: stages[to] ?? "pending" },
      payload: { resource_type: type, resource_id: id, from_status: from, to_status: to },
    });
  }
  if (nodeDelta === 0 && edgeDelta === 0) return;
  tell("graph_changed", {
    event_family: "graph_update",
    ...{ graph_id: ids.graph, update_kind: nodeDelta === 1 ? "node_add" : "bulk" },
    ...{ node_delta: nodeDelta, edge_delta: edgeDelta },
  });
}
