/** A graph as rows, and what one append changes in them. */
import type { JsonObject } from "../canonical-json.ts";

export interface GraphNodeRow {
  readonly id: string;
  readonly type: string;
  /** Empty for what has none. */
  readonly status: string;
  /** Counts the changes of this node, from 1. */
  readonly version: number;
  /** Of a part: what it is in, and its place there. */
  readonly owner: string | null;
  readonly place: number | null;
  readonly object: JsonObject;
}

export interface GraphEdgeRow {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
}

/** A change of rows; they are applied in order. A node of version 1 is new. */
export type GraphRowChange =
  | { readonly kind: "node"; readonly node: GraphNodeRow }
  | { readonly kind: "node-removed"; readonly id: string }
  | { readonly kind: "edge" | "edge-removed"; readonly edge: GraphEdgeRow };

/** The effect of an append on the rows of its run's graph. */
export interface GraphWrite {
  /** The last event in the rows: the one before the append, or 0 to write them again. */
  readonly from: number;
  readonly changes: readonly GraphRowChange[];
}
