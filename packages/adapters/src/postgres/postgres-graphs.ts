/** The graphs of a tenant's runs in PostgreSQL: rows whose triggers repeat the rules of a graph. */
import type { GraphStore } from "@turnseal/ports";
import { isRunId } from "./names.ts";
import type { Database } from "./open-database.ts";
import { dropGraph } from "./statements/drop-graph.ts";
import { listGraphEdges } from "./statements/list-graph-edges.ts";
import { listGraphNodes } from "./statements/list-graph-nodes.ts";
import { readGraphSequence } from "./statements/read-graph-sequence.ts";
import { rewriteGraph } from "./statements/rewrite-graph.ts";

/** Before every node. */
const NO_NODE = "00000000-0000-0000-0000-000000000000";
const NO_EDGE = { from: NO_NODE, kind: "", to: NO_NODE };

export function postgresGraphs(db: Database): GraphStore {
  return {
    readSequence: async (run) => (isRunId(run) ? readGraphSequence(db, run) : undefined),
    listNodes: async (run, after = NO_NODE) => (isRunId(run) ? listGraphNodes(db, run, after) : []),
    listEdges: async (run, after = NO_EDGE) => (isRunId(run) ? listGraphEdges(db, run, after) : []),
    rewrite: async (run, rows) =>
      isRunId(run) && (await rewriteGraph(db, run, rows)) ? "rewritten" : "moved",
    drop: async (run) => {
      if (isRunId(run)) await dropGraph(db, run);
    },
  };
}
