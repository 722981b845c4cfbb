/** The graph of one flow; it reports each change. */

import {
  applyTold,
  type Changed,
  createGraph,
  type Graph,
  type GraphChange,
  type Refused,
  type Tell,
  type WholeType,
} from "@turnseal/folds/graph";
import { isPlainObject } from "@turnseal/protocol";
import { LIFECYCLES } from "@turnseal/protocol/graph";

export interface FlowGraph {
  readonly graph: Graph;
  apply(change: GraphChange): Changed | Refused;
  /**
   * Adds an object, and gives it the status that it says it has, as its life allows: what was made
   * elsewhere cannot be born approved.
   */
  put(type: WholeType, object: unknown): Changed | Refused;
}

export function createFlowGraph(
  ids: { readonly pipeline: string; readonly graph: string },
  tell: Tell,
): FlowGraph {
  const graph = createGraph();
  const apply = (change: GraphChange): Changed | Refused => applyTold({ graph, ids, tell }, change);
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
