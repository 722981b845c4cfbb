/** Puts a new object into a graph, with its parts: all of it, or nothing. */
import { LIFECYCLES, type ObjectOf, type ObjectType, parseObject } from "@turnseal/protocol/graph";
import type { Graph, GraphNode } from "./graph.ts";
import { type AnyObject, type Refused, refuse, type WholeType } from "./graph-change.ts";
import { listReferences } from "./list-references.ts";
import { addNode, addPart, connect } from "./write-graph.ts";

type Part = Pick<GraphNode, "id" | "type" | "object">;

/** Answers with nothing when it is done. */
export function putWhole(graph: Graph, type: WholeType, value: unknown): Refused | undefined {
  const parsed = parseObject(type, value);
  if (parsed.kind === "refused") return refuse("object-invalid", parsed.field);
  const whole: Part = { id: idOf(type, parsed.object), type, object: withoutParts(parsed.object) };
  const parts = listParts(parsed.object);
  const refused = findRefusal(graph, whole, parts);
  if (refused !== undefined) return refused;
  const sorted = sortSteps(parts);
  if (sorted === undefined) return refuse("cycle", whole.id);
  const entry = addNode(graph, whole);
  const added = parts.map((part) => addPart(graph, entry, part));
  // Their numbers are dealt out again in the order in which they can be carried out.
  const orders = added.map(({ order }) => order);
  for (const [index, part] of sorted.entries()) {
    const step = graph.entries.get(part.id);
    if (step !== undefined) step.order = orders[index] ?? step.order;
  }
  for (const each of [entry, ...added]) connect(graph, each);
  return undefined;
}

function findRefusal(graph: Graph, whole: Part, parts: readonly Part[]): Refused | undefined {
  const seen = new Set<string>();
  for (const { id, type, object } of [whole, ...parts]) {
    if (graph.entries.has(id) || seen.has(id)) return refuse("id-taken", id);
    seen.add(id);
    const isFirst = !("status" in object) || object.status === initialOf(type);
    if (!isFirst) return refuse("status-not-initial", id);
  }
  const before = new Map<string, ObjectType>();
  const steps = new Set(parts.filter(({ type }) => type === "step").map(({ id }) => id));
  for (const { id, type, object } of [whole, ...parts]) {
    for (const named of listReferences(type, object)) {
      const isWithin =
        named.type === "step" ? steps.has(named.id) : before.get(named.id) === named.type;
      const other = graph.entries.get(named.id)?.node;
      const isThere = other?.type === named.type && other.owner === undefined;
      if (!isWithin && !isThere) return refuse("reference-unknown", named.id);
    }
    // A segment's parent stands before it, so there is no circle.
    if (type === "segment") before.set(id, type);
  }
  return undefined;
}

function initialOf(type: ObjectType): string {
  return type === "role" ? "" : LIFECYCLES[type].initial;
}

/** Steps after those they depend on; undefined when some wait for each other. */
function sortSteps(parts: readonly Part[]): readonly Part[] | undefined {
  const byId = new Map(parts.map((part) => [part.id, part]));
  const waiting = new Map<string, number>();
  const waiters = new Map<string, string[]>();
  for (const { id, object } of parts) {
    const needed = new Set((object as ObjectOf["step"]).dependencies);
    waiting.set(id, needed.size);
    for (const other of needed) {
      const known = waiters.get(other);
      if (known === undefined) waiters.set(other, [id]);
      else known.push(id);
    }
  }
  const sorted = parts.filter(({ id }) => waiting.get(id) === 0);
  for (const { id } of sorted) {
    for (const waiter of waiters.get(id) ?? []) {
      const left = (waiting.get(waiter) ?? 0) - 1;
      waiting.set(waiter, left);
      const part = byId.get(waiter);
      if (left === 0 && part !== undefined) sorted.push(part);
    }
  }
  return sorted.length === parts.length ? sorted : undefined;
}

function idOf(type: ObjectType, object: AnyObject): string {
  return String((object as unknown as Readonly<Record<string, unknown>>)[`${type}_id`]);
}

function listParts(object: AnyObject): readonly Part[] {
  if ("steps" in object)
    return object.steps.map((step) => ({ id: step.step_id, type: "step", object: step }));
  if (!("segments" in object)) return [];
  return (object.segments ?? []).map((segment) => ({
    id: segment.segment_id,
    type: "segment",
    object: segment,
  }));
}

function withoutParts(object: AnyObject): AnyObject {
  const fields = Object.entries(object).filter(([name]) => name !== "steps" && name !== "segments");
  return Object.fromEntries(fields) as unknown as AnyObject;
}
