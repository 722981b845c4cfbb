import type { JsonObject } from "@turnseal/protocol";

/**
 * The graphs of runs, kept as rows beside their logs (spec/graph.md §7). Nothing stands in a row
 * that the log does not say: rows can be dropped at any time and written anew.
 */
export interface GraphStore {
  /** Up to which event of the log the rows say what it says; undefined where none are kept. */
  readSequence(run: string): Promise<number | undefined>;

  /** At most `GRAPH_ROWS_MAX` nodes after an id, in the order of ids. */
  listNodes(run: string, after?: string): Promise<readonly GraphNodeRow[]>;

  /** At most `GRAPH_ROWS_MAX` edges after one, in the order of `from`, `kind` and `to`. */
  listEdges(run: string, after?: GraphEdgeRow): Promise<readonly GraphEdgeRow[]>;

  /**
   * Drops what is kept of a run, and writes it anew: all of it or nothing. MUST answer `moved`, and
   * change nothing, where the log does not stand at that event.
   */
  rewrite(run: string, rows: RewrittenGraph): Promise<"rewritten" | "moved">;

  /** Drops what is kept of a run. */
  drop(run: string): Promise<void>;
}

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

/** What is written to rows, one after another. A node of version 1 is new. */
export type GraphRowChange =
  | { readonly kind: "node"; readonly node: GraphNodeRow }
  | { readonly kind: "node-removed"; readonly id: string }
  | { readonly kind: "edge" | "edge-removed"; readonly edge: GraphEdgeRow };

/** What an append does to the rows of its run's graph. */
export interface GraphWrite {
  /** The event up to which the rows stand: that before the append, or 0 to write them anew. */
  readonly from: number;
  readonly changes: readonly GraphRowChange[];
}

export interface RewrittenGraph {
  readonly sequence: number;
  readonly changes: readonly GraphRowChange[];
}

/** Rows of one answer. */
export const GRAPH_ROWS_MAX = 1000;
