import { GRAPH_ROWS_MAX } from "@turnseal/ports";
import type { GraphNodeRow } from "@turnseal/protocol/graph";
import { type Row, readInteger, readObject, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const listGraphNodesStatement: Statement = {
  name: "list-graph-nodes",
  reach: "run",
  text: `
    select id::text as id, type, status, version, owner::text as owner, place, object
      from turnseal.graph_node
     where tenant = $1 and run = $2 and graph_node.id > $3::uuid
     order by graph_node.id limit ${GRAPH_ROWS_MAX}`,
};

export async function listGraphNodes(
  db: Database,
  run: string,
  after: string,
): Promise<readonly GraphNodeRow[]> {
  return (await db.query(listGraphNodesStatement, [db.tenant, run, after])).map(toNode);
}

function toNode(row: Row): GraphNodeRow {
  return {
    ...{ id: readText(row, "id"), type: readText(row, "type"), status: readText(row, "status") },
    version: readInteger(row, "version"),
    owner: row["owner"] === null ? null : readText(row, "owner"),
    place: row["place"] === null ? null : readInteger(row, "place"),
    object: readObject(row, "object"),
  };
}
