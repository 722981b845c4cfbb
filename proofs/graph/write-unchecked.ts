/**
 * The rows that a change would write if nobody had checked it: what a program writes that knows no
 * rule. A database that keeps the rules refuses them.
 */
import { type Graph, type GraphChange, listReferences } from "@turnseal/folds/graph";
import type { JsonObject } from "@turnseal/protocol";
import type { GraphNodeRow, GraphRowChange, ObjectType } from "@turnseal/protocol/graph";

/** Undefined for what has no rows to write: it is about nothing that is there. */
export function writeUnchecked(graph: Graph, change: GraphChange): GraphRowChange[] | undefined {
  switch (change.kind) {
    case "put":
      return putRows(change.type, change.object as JsonObject);
    case "add":
      return addRows(graph, change.to, change.object as JsonObject);
    case "edit":
      return editRows(graph, change);
    case "move":
      return moveRows(graph, change);
    case "remove":
      return removeRows(graph, change.id);
  }
}

function putRows(type: ObjectType, whole: JsonObject): GraphRowChange[] {
  const { steps, segments, ...object } = whole;
  const id = String(whole[`${type}_id`]);
  const part = type === "plan" ? "step" : "segment";
  const parts = ((steps ?? segments ?? []) as readonly JsonObject[]).map((each, place) =>
    toRow(part, each, { owner: id, place }),
  );
  const rows = [toRow(type, object, { owner: null, place: null }), ...parts];
  return [
    ...rows.map((node): GraphRowChange => ({ kind: "node", node })),
    ...parts.map((node) => link("CONTAINS", id, node.id)),
    ...rows.flatMap(linksOf),
  ];
}

function toRow(
  type: ObjectType,
  object: JsonObject,
  place: Pick<GraphNodeRow, "owner" | "place">,
): GraphNodeRow {
  const id = String(object[`${type}_id`]);
  return { id, type, status: String(object["status"] ?? ""), version: 1, ...place, object };
}

function link(kind: string, from: string, to: string): GraphRowChange {
  return { kind: "edge", edge: { kind, from, to } };
}

function linksOf({ id, type, object }: GraphNodeRow): GraphRowChange[] {
  const named = listReferences(type as ObjectType, object as never);
  const keys = new Map(named.map((each) => [`${each.kind} ${each.id}`, each]));
  return [...keys.values()].map((each) => link(each.kind, id, each.id));
}

function addRows({ entries }: Graph, to: string, object: JsonObject): GraphRowChange[] {
  const owner = entries.get(to);
  const type = "step_id" in object ? "step" : "segment";
  const node = toRow(type, object, { owner: to, place: owner?.nextPlace ?? 0 });
  return [{ kind: "node", node }, link("CONTAINS", to, node.id), ...linksOf(node)];
}

/** The row of a node as it is, with another version. */
function rowOf({ entries }: Graph, id: string, change: JsonObject): GraphNodeRow | undefined {
  const node = entries.get(id)?.node;
  if (node === undefined) return undefined;
  const object = { ...(node.object as unknown as JsonObject), ...change };
  const { owner = null, place = null } = node;
  const version = node.version + 1;
  return { ...toRow(node.type, object, { owner, place }), id, version };
}

function editRows(
  graph: Graph,
  { id, fields, saw }: Extract<GraphChange, { kind: "edit" }>,
): GraphRowChange[] | undefined {
  const node = rowOf(graph, id, fields as JsonObject);
  const entry = graph.entries.get(id);
  if (node === undefined || entry === undefined) return undefined;
  const version = saw === undefined ? node.version : saw + 1;
  const known = [...entry.outgoing.values()].filter(({ kind }) => kind !== "CONTAINS");
  return [
    { kind: "node", node: { ...node, version } },
    ...known.map((edge): GraphRowChange => ({ kind: "edge-removed", edge })),
    ...linksOf(node),
  ];
}

function moveRows(
  graph: Graph,
  { id, to, decision }: Extract<GraphChange, { kind: "move" }>,
): GraphRowChange[] | undefined {
  const known = graph.entries.get(id)?.node.object as unknown as JsonObject | undefined;
  const decisions = [...((known?.["decisions"] as JsonObject[] | undefined) ?? []), decision];
  const said = decision === undefined ? {} : { decisions: decisions as JsonObject[] };
  const node = rowOf(graph, id, { status: to, ...said } as JsonObject);
  if (node === undefined) return undefined;
  const rows: GraphRowChange[] = [{ kind: "node", node }];
  const brought = { approved: "approved", rejected: "draft" }[to];
  const target = node.type === "confirm" ? String(node.object["target_id"]) : "";
  const plan = brought === undefined ? undefined : rowOf(graph, target, { status: brought });
  return plan === undefined ? rows : [...rows, { kind: "node", node: plan }];
}

function removeRows(graph: Graph, id: string): GraphRowChange[] | undefined {
  const entry = graph.entries.get(id);
  if (entry === undefined) return undefined;
  const isPart = ({ kind }: { readonly kind: string }) => kind === "CONTAINS";
  const parts = [...entry.outgoing.values()].filter(isPart).map(({ to }) => to);
  const own = [...entry.outgoing.values(), ...[...entry.incoming.values()].filter(isPart)];
  return [
    ...parts.flatMap((part) => removeRows(graph, part) ?? []),
    ...own
      .filter(({ to }) => !parts.includes(to))
      .map((edge): GraphRowChange => ({ kind: "edge-removed", edge })),
    { kind: "node-removed", id },
  ];
}
