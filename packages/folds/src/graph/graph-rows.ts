/** A node as a row, and the hash of a graph that is kept as rows. */

import { canonicalize, type JsonObject, type JsonValue } from "@turnseal/protocol";
import type { GraphNodeRow } from "@turnseal/protocol/graph";
import { type GraphNode, statusOf } from "./graph.ts";
import { createHashTree } from "./hash-tree.ts";

export function toNodeRow(node: GraphNode): GraphNodeRow {
  const { id, type, version, object, owner, place } = node;
  return {
    ...{ id, type, status: statusOf(node), version },
    ...{ owner: owner ?? null, place: place ?? null },
    // An object was parsed from JSON.
    object: object as unknown as JsonObject,
  };
}

/** Renders the input of a node's hash (spec/graph.md §5.1). */
export function renderNode({
  type,
  owner,
  place,
  object,
}: Pick<GraphNodeRow, "type" | "owner" | "place" | "object">): string {
  return canonicalize({ type, owner, place, object: object as JsonValue });
}

/** The state hash of the graph that has these nodes. */
export function hashRows(nodes: Iterable<GraphNodeRow>): string {
  const hashes = createHashTree();
  for (const node of nodes) hashes.put(node.id, () => renderNode(node));
  return hashes.read();
}
