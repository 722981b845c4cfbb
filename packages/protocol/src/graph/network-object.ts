import { type FieldsOf, hasOnly, type Is, isListOf, isOneOf, isText } from "../shape.ts";
import { NETWORK_STATUSES } from "./lifecycles.ts";
import {
  type Attached,
  attached,
  type Governed,
  governed,
  isFilled,
  isId,
  isMeta,
  type Meta,
} from "./object-parts.ts";

const TOPOLOGIES = ["single_node", "hub_spoke", "mesh", "hierarchical", "hybrid", "other"] as const;
const MEMBER_KINDS = ["agent", "service", "database", "queue", "external", "other"] as const;
const MEMBER_STATUSES = ["active", "inactive", "degraded", "unreachable", "retired"] as const;

/** The nodes of a network, and how to reach them. */
export interface NetworkObject extends Attached, Governed {
  readonly meta: Meta;
  readonly network_id: string;
  readonly context_id: string;
  readonly name: string;
  readonly topology_type: (typeof TOPOLOGIES)[number];
  readonly status: (typeof NETWORK_STATUSES)[number];
  readonly description?: string;
  readonly nodes?: readonly NetworkMember[];
}

export interface NetworkMember {
  readonly node_id: string;
  readonly kind: (typeof MEMBER_KINDS)[number];
  readonly status: (typeof MEMBER_STATUSES)[number];
  readonly name?: string;
  readonly role_id?: string;
}

const isMember: Is<NetworkMember> = hasOnly(
  { node_id: isId, kind: isOneOf(MEMBER_KINDS), status: isOneOf(MEMBER_STATUSES) },
  { name: isText, role_id: isText },
);

export const networkFields: FieldsOf<NetworkObject> = {
  always: {
    meta: isMeta,
    network_id: isId,
    context_id: isId,
    name: isFilled,
    topology_type: isOneOf(TOPOLOGIES),
    status: isOneOf(NETWORK_STATUSES),
  },
  sometimes: { description: isText, nodes: isListOf(isMember), ...attached, ...governed },
};
