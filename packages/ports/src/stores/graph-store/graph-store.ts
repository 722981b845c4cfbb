import type { GraphEdgeRow, GraphNodeRow, GraphRowChange } from "@turnseal/protocol/graph";

/**
 * The graphs of runs, kept as rows beside their logs (spec/graph.md §7). Every row follows from the
 * log: rows can be dropped at any time and written again.
 */
export interface GraphStore {
  /** The event up to which the rows follow the log; undefined where there are no rows. */
  readSequence(run: string): Promise<number | undefined>;

  /** At most `GRAPH_ROWS_MAX` nodes after an id, in the order of ids. */
  listNodes(run: string, after?: string): Promise<readonly GraphNodeRow[]>;

  /** At most `GRAPH_ROWS_MAX` edges after one, in the order of `from`, `kind` and `to`. */
  listEdges(run: string, after?: GraphEdgeRow): Promise<readonly GraphEdgeRow[]>;

  /**
   * Drops the rows of a run, and writes them again: all of it or nothing. MUST answer `moved`, and
   * change nothing, where the log does not stand at that event.
   */
  rewrite(run: string, rows: RewrittenGraph): Promise<"rewritten" | "moved">;

  /** Drops what is kept of a run. */
  drop(run: string): Promise<void>;
}

export interface RewrittenGraph {
  readonly sequence: number;
  readonly changes: readonly GraphRowChange[];
}

/** Rows of one answer. */
export const GRAPH_ROWS_MAX = 1000;
