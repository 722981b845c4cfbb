/**
 * One change to one graph. Everything about it is checked before anything is written: what is
 * refused has changed nothing.
 */
import {
  type ConfirmDecision,
  findWrongEdit,
  isFinal,
  LIFECYCLES,
  type ObjectOf,
  type ObjectType,
  parseObject,
} from "@turnseal/protocol/graph";
import { decideTransition, type Move } from "./decide-transition.ts";
import { type Graph, type GraphNode, type NodeEntry, statusOf } from "./graph.ts";
import {
  type AnyObject,
  type Changed,
  type FieldValues,
  type GraphChange,
  type Refused,
  refuse,
  type StatusChange,
} from "./graph-change.ts";
import { listReferences } from "./list-references.ts";
import { putWhole } from "./put-whole.ts";
import { orderAfter } from "./step-order.ts";
import { addPart, connect, removeNode, replaceObject, touchNode } from "./write-graph.ts";

/** Applies a change, or answers why not. */
export function applyChange(graph: Graph, change: GraphChange): Changed | Refused {
  const nodes = graph.entries.size;
  const edges = graph.edgeCount;
  const written = write(graph, change);
  if ("kind" in written) return written;
  return {
    kind: "changed",
    statuses: written,
    nodeDelta: graph.entries.size - nodes,
    edgeDelta: graph.edgeCount - edges,
  };
}

type Written = Refused | readonly StatusChange[];

function write(graph: Graph, change: GraphChange): Written {
  if (change.kind === "put") return putWhole(graph, change.type, change.object) ?? [];
  const id = change.kind === "add" ? change.to : change.id;
  const entry = graph.entries.get(id);
  if (entry === undefined) return refuse("node-unknown", id);
  if (change.saw !== undefined && change.saw !== entry.node.version)
    return refuse("version-stale", id);
  switch (change.kind) {
    case "add":
      return add(graph, entry, change.object) ?? [];
    case "edit":
      return edit(graph, entry, change.fields) ?? [];
    case "move":
      return move(graph, entry, change);
    case "remove":
      return remove(graph, entry) ?? [];
  }
}

function add(graph: Graph, owner: NodeEntry, value: unknown): Refused | undefined {
  const type = partOf[owner.node.type];
  if (type === undefined) return refuse("node-unknown", owner.node.id);
  const fixed = findFinal(owner.node) ?? findFixed(graph, owner.node, "add");
  if (fixed !== undefined) return fixed;
  const parsed = parseObject(type, value);
  if (parsed.kind === "refused") return refuse("object-invalid", parsed.field);
  const { object } = parsed;
  const id = "step_id" in object ? object.step_id : object.segment_id;
  if (graph.entries.has(id)) return refuse("id-taken", id);
  if (object.status !== LIFECYCLES[type].initial) return refuse("status-not-initial", id);
  // It depends on what is there already, so it closes no circle, unless with itself.
  const named = listReferences(type, object);
  if (named.some((reference) => reference.id === id)) return refuse("cycle", id);
  const unknown = findUnknown(graph, named, owner.node.id);
  if (unknown !== undefined) return refuse("reference-unknown", unknown);
  connect(graph, addPart(graph, owner, { id, type, object }));
  touchNode(graph, owner);
  return undefined;
}

const partOf: Partial<Record<ObjectType, "step" | "segment">> = { plan: "step", trace: "segment" };

/** Other changes set these fields, or they never change. */
const fixedFields = new Set(["status", "steps", "segments", "decisions", "parent_segment_id"]);

function edit(graph: Graph, entry: NodeEntry, fields: FieldValues): Refused | undefined {
  const { node } = entry;
  const names = Object.keys(fields);
  const fixed = names.find((name) => fixedFields.has(name) || name === `${node.type}_id`);
  if (fixed !== undefined) return refuse("field-fixed", fixed);
  const refused = findFinal(node) ?? findFixed(graph, node, names.join());
  if (refused !== undefined) return refused;
  const wrong = findWrongEdit(node.type, fields);
  if (wrong !== undefined) return refuse("object-invalid", wrong.name);
  const kept = Object.entries({ ...node.object, ...fields }).filter(([, value]) => value !== null);
  // Every field was parsed, or was checked just now.
  const object = Object.fromEntries(kept) as unknown as AnyObject;
  const named = listReferences(node.type, object);
  const unknown = findUnknown(graph, named, node.owner);
  if (unknown !== undefined) return refuse("reference-unknown", unknown);
  const circle = named.find(({ kind, id }) => {
    const needed = graph.entries.get(id);
    return kind === "DEPENDS_ON" && needed !== undefined && !orderAfter(graph, entry, needed);
  });
  if (circle !== undefined) return refuse("cycle", circle.id);
  replaceObject(graph, entry, object);
  connect(graph, entry);
  return undefined;
}

interface WantedMove {
  readonly to: string;
  readonly decision?: ConfirmDecision;
}

function move(graph: Graph, entry: NodeEntry, { to, decision }: WantedMove): Written {
  const owner = graph.entries.get(entry.node.owner ?? "")?.node;
  const refused = owner === undefined ? undefined : findFinal(owner);
  if (refused !== undefined) return refused;
  const decided = decideTransition({ graph, entry, to, decision });
  if (decided.kind === "refused") return decided;
  return decided.moves.map((each) => writeMove(graph, each, decision));
}

function writeMove(
  graph: Graph,
  { entry, to }: Move,
  decision: ConfirmDecision | undefined,
): StatusChange {
  const { id, type, object } = entry.node;
  const from = statusOf(entry.node);
  const moved = { ...object, status: to } as AnyObject;
  const decisions = [...((object as ObjectOf["confirm"]).decisions ?? []), decision];
  const isDecided = type === "confirm" && decision !== undefined;
  replaceObject(graph, entry, isDecided ? ({ ...moved, decisions } as AnyObject) : moved);
  return { id, type, from, to };
}

function remove(graph: Graph, entry: NodeEntry): Refused | undefined {
  const { node } = entry;
  const parts = listParts(graph, entry);
  // A part of a plan or a trace that has begun stays.
  const begun = node.owner === undefined ? parts : [entry];
  const refused =
    findFinal(node) ?? findFixed(graph, node, "remove") ?? begun.map(findStarted).find(Boolean);
  if (refused !== undefined) return refused;
  const others = [...entry.incoming.values()].filter(({ kind }) => kind !== "CONTAINS");
  if (others[0] !== undefined) return refuse("referenced", others[0].from);
  const owner = graph.entries.get(node.owner ?? "");
  // A plan has a step.
  if (owner?.node.type === "plan" && countSteps(owner) === 1)
    return refuse("object-invalid", "steps");
  for (const part of parts) removeNode(graph, part);
  removeNode(graph, entry);
  if (owner !== undefined) touchNode(graph, owner);
  return undefined;
}

function listParts({ entries }: Graph, { outgoing }: NodeEntry): NodeEntry[] {
  return [...outgoing.values()]
    .filter(({ kind }) => kind === "CONTAINS")
    .flatMap(({ to }) => entries.get(to) ?? []);
}

function countSteps({ steps }: NodeEntry): number {
  return [...steps.values()].reduce((sum, count) => sum + count, 0);
}

function findStarted({ node }: NodeEntry): Refused | undefined {
  const isStarted = node.type !== "role" && statusOf(node) !== LIFECYCLES[node.type].initial;
  return isStarted ? refuse("finished", node.id) : undefined;
}

/** A node with a final status does not change. */
function findFinal(node: GraphNode): Refused | undefined {
  const isOver = node.type !== "role" && isFinal(node.type, statusOf(node));
  return isOver ? refuse("finished", node.id) : undefined;
}

/**
 * A plan can change while it is a draft. A plan in progress may grow, and a blocked step may lose
 * its dependencies.
 */
function findFixed({ entries }: Graph, node: GraphNode, what: string): Refused | undefined {
  const owner = node.owner === undefined ? node : entries.get(node.owner)?.node;
  if (owner === undefined) return undefined;
  if (owner.type === "trace" && node !== owner) return findFinal(owner);
  if (owner.type !== "plan") return undefined;
  const isFreed = node.type === "step" && statusOf(node) === "blocked" && what === "dependencies";
  const isOpen = statusOf(owner) === "in_progress" && (what === "add" || isFreed);
  return statusOf(owner) === "draft" || isOpen ? undefined : refuse("plan-fixed", owner.id);
}

/** The first node that is named and is not there, not of its type, or in another plan or trace. */
function findUnknown(
  { entries }: Graph,
  named: ReturnType<typeof listReferences>,
  owner: string | undefined,
): string | undefined {
  return named.find(({ id, type }) => {
    const node = entries.get(id)?.node;
    return node?.type !== type || (node.owner !== undefined && node.owner !== owner);
  })?.id;
}
