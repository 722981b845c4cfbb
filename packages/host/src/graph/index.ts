export { applyChange } from "./apply-change.ts";
export { foldRun, type RunGraph } from "./fold-run.ts";
export {
  createGraph,
  EDGE_KINDS,
  type Edge,
  type EdgeKind,
  type Graph,
  type GraphNode,
} from "./graph.ts";
export {
  type Changed,
  GRAPH_REFUSALS,
  type GraphChange,
  type Refused,
  type StatusChange,
  type WholeType,
} from "./graph-change.ts";
export {
  type Direction,
  findNode,
  GRAPH_ANSWER_MAX,
  type Limited,
  listEdges,
  type Question,
  queryNodes,
  readStateHash,
  TRAVERSE_DEPTH_MAX,
  traverse,
  type Way,
} from "./read-graph.ts";
export type { Objection } from "./run-fold.ts";
