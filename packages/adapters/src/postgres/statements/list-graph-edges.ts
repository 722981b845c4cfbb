import { GRAPH_ROWS_MAX } from "@turnseal/ports";
import type { GraphEdgeRow } from "@turnseal/protocol/graph";
import { type Row, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const listGraphEdgesStatement: Statement = {
  name: "list-graph-edges",
  reach: "run",
  text: `
    select source::text as source, kind, target::text as target
      from turnseal.graph_edge as edge
     where tenant = $1 and run = $2
       and (edge.source, edge.kind, edge.target) > ($3::uuid, $4::text, $5::uuid)
     order by edge.source, edge.kind, edge.target limit ${GRAPH_ROWS_MAX}`,
};

export async function listGraphEdges(
  db: Database,
  run: string,
  { from, kind, to }: GraphEdgeRow,
): Promise<readonly GraphEdgeRow[]> {
  return (await db.query(listGraphEdgesStatement, [db.tenant, run, from, kind, to])).map(toEdge);
}

function toEdge(row: Row): GraphEdgeRow {
  return {
    kind: readText(row, "kind"),
    from: readText(row, "source"),
    to: readText(row, "target"),
  };
}
