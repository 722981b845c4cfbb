/**
 * Reports each change of a graph, in the words of MPLP: a new status of a plan, a step or a context
 * (`pipeline_stage`), and any other change of the graph (`graph_update`). Each change is reported
 * once.
 */
import { isPlainObject, type JsonObject } from "@turnseal/protocol";
import type { ObjectType } from "@turnseal/protocol/graph";
import { applyChange } from "./apply-change.ts";
import type { Graph } from "./graph.ts";
import type { Changed, GraphChange, Refused, StatusChange } from "./graph-change.ts";

/** Says something; what every event has comes with it. */
export type Tell = (type: string, fields: JsonObject) => void;

export interface ToldGraph {
  readonly graph: Graph;
  /** The ids that events name: of the pipeline, and of the graph. */
  readonly ids: { readonly pipeline: string; readonly graph: string };
  readonly tell: Tell;
}

/** The stage of each status. */
const stages: Readonly<Record<string, string>> = {
  ...{ draft: "pending", proposed: "pending", approved: "pending", pending: "pending" },
  ...{ blocked: "pending", suspended: "pending", active: "running", in_progress: "running" },
  ...{ completed: "completed", archived: "completed", closed: "completed", failed: "failed" },
  ...{ cancelled: "failed", skipped: "skipped" },
};
const staged: ReadonlySet<string> = new Set(["plan", "step", "context"]);
const stepTypes: Readonly<Record<string, string>> = {
  ...{ in_progress: "step_started", completed: "step_completed", failed: "step_failed" },
};

/** Applies a change and reports it, unless it is refused. */
export function applyTold(told: ToldGraph, change: GraphChange): Changed | Refused {
  // Before it is applied: what is removed is not there afterwards.
  const about = nameChanged(told.graph, change);
  const answer = applyChange(told.graph, change);
  if (answer.kind === "refused") return answer;
  for (const status of answer.statuses) tellStatus(told, status);
  if (change.kind !== "move") tellUpdate(told, { change, about }, answer);
  return answer;
}

interface ChangedNode {
  readonly id: string;
  readonly type: ObjectType;
}

function nameChanged({ entries }: Graph, change: GraphChange): ChangedNode {
  if (change.kind === "put") return { id: idIn(change.object, change.type), type: change.type };
  const id = change.kind === "add" ? change.to : change.id;
  const type = entries.get(id)?.node.type ?? "context";
  if (change.kind !== "add") return { id, type };
  const part = type === "plan" ? "step" : "segment";
  return { id: idIn(change.object, part), type: part };
}

function idIn(object: unknown, type: ObjectType): string {
  return isPlainObject(object) ? String(object[`${type}_id`]) : "";
}

function tellStatus({ ids, tell }: ToldGraph, { id, type, from, to }: StatusChange): void {
  const ends = { from_status: from, to_status: to };
  if (!staged.has(type)) {
    // A change of a node that is no stage of anything.
    tell(type === "confirm" ? "confirm_resolved" : `${type}_updated`, {
      ...{ event_family: "graph_update", graph_id: ids.graph, update_kind: "node_update" },
      ...{ node_delta: 0, edge_delta: 0, source_module: moduleOf(type) },
      payload: { node_type: type, node_id: id, ...ends },
    });
    return;
  }
  const ofStep = type === "step" ? stepTypes[to] : undefined;
  tell(ofStep ?? `${type}_status_changed`, {
    event_family: "pipeline_stage",
    ...{ pipeline_id: ids.pipeline, stage_id: id, stage_status: stages[to] ?? "pending" },
    payload: { resource_type: type, resource_id: id, ...ends },
  });
}

const updates = {
  put: { kind: "node_add", word: "created" },
  add: { kind: "node_add", word: "added" },
  edit: { kind: "node_update", word: "updated" },
  remove: { kind: "node_delete", word: "removed" },
} as const;

function tellUpdate(
  { ids, tell }: ToldGraph,
  { change, about: { id, type } }: { readonly change: GraphChange; readonly about: ChangedNode },
  { nodeDelta, edgeDelta }: Changed,
): void {
  if (change.kind === "move") return;
  const { kind, word } = updates[change.kind];
  tell(`${type}_${word}`, {
    ...{ event_family: "graph_update", graph_id: ids.graph, update_kind: kind },
    ...{ node_delta: nodeDelta, edge_delta: edgeDelta, source_module: moduleOf(type) },
    payload: { node_type: type, node_id: id },
  });
}

/** The module that owns objects of a type: a part belongs to that of its whole. */
function moduleOf(type: ObjectType): string {
  if (type === "step") return "plan";
  return type === "segment" ? "trace" : type;
}
