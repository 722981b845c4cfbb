/** The references of objects to each other: one edge for each (spec/graph.md §3.2). */
import { isUuid } from "@turnseal/protocol";
import type { ObjectOf, ObjectType } from "@turnseal/protocol/graph";
import type { EdgeKind } from "./graph.ts";
import type { AnyObject } from "./graph-change.ts";

export interface Reference {
  readonly kind: EdgeKind;
  readonly id: string;
  readonly type: ObjectType;
}

type ListOf = { readonly [Type in ObjectType]: (object: ObjectOf[Type]) => readonly Reference[] };

const listOf: ListOf = {
  context: () => [],
  plan: ({ context_id }) => [inContext(context_id)],
  step: ({ dependencies = [], agent_role }) => [
    ...dependencies.map((id): Reference => ({ kind: "DEPENDS_ON", id, type: "step" })),
    ...assigned([agent_role]),
  ],
  trace: ({ context_id, plan_id }) => [
    { kind: "TRACES", id: context_id, type: "context" },
    ...(plan_id === undefined ? [] : [{ kind: "TRACES", id: plan_id, type: "plan" } as const]),
  ],
  segment: ({ parent_segment_id: id }) =>
    id === undefined ? [] : [{ kind: "PART_OF", id, type: "segment" }],
  // The graph does not know nodes of other types.
  confirm: ({ target_type: type, target_id: id }) =>
    type === "other" ? [] : [{ kind: "CONFIRMS", id, type }],
  role: () => [],
  collab: ({ context_id, participants }) => [
    inContext(context_id),
    ...assigned(participants.map(({ role_id }) => role_id)),
  ],
  dialog: ({ context_id }) => [inContext(context_id)],
  extension: ({ context_id }) => [inContext(context_id)],
  network: ({ context_id, nodes = [] }) => [
    inContext(context_id),
    ...assigned(nodes.map(({ role_id }) => role_id)),
  ],
  core: () => [],
};

/** Every node that an object names. */
export function listReferences(type: ObjectType, object: AnyObject): readonly Reference[] {
  // The object was parsed as this type.
  const list = listOf[type] as (object: AnyObject) => readonly Reference[];
  return list(object);
}

function inContext(id: string): Reference {
  return { kind: "HAS_CONTEXT", id, type: "context" };
}

/** A role may be named by a word of its own; only an id is a reference. */
function assigned(roles: readonly (string | undefined)[]): readonly Reference[] {
  return [...new Set(roles)]
    .filter((role) => role !== undefined && isUuid(role))
    .map((id) => ({ kind: "ASSIGNED_TO", id: id ?? "", type: "role" }));
}
