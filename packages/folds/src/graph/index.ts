export { applyChange } from "./apply-change.ts";
export { foldRun, type RunGraph } from "./fold-run.ts";
export {
  createGraph,
  EDGE_KINDS,
  type Edge,
  type EdgeKind,
  type Graph,
  type GraphNode,
  statusOf,
} from "./graph.ts";
export {
  type Changed,
  GRAPH_REFUSALS,
  type GraphChange,
  type Refused,
  type StatusChange,
  type WholeType,
} from "./graph-change.ts";
export { hashRows } from "./graph-rows.ts";

export { foldRows, type GraphKeeper, keepGraph, keepsGraph } from "./keep-graph.ts";
export { listReferences } from "./list-references.ts";
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
export { readWhole } from "./read-whole.ts";
export type { Objection } from "./run-fold.ts";
export { nameNodes, type RunNodes } from "./run-nodes.ts";
export {
  type Conflict,
  type ConflictRule,
  type SettledWrites,
  settleWrites,
  type Verdicts,
  type Write,
} from "./settle-writes.ts";
export { applyTold, type Tell } from "./tell-change.ts";
