import type { Database, Statement } from "../open-database.ts";

/** Nodes and edges go with it. */
export const dropGraphStatement: Statement = {
  name: "drop-graph",
  reach: "run",
  text: "delete from turnseal.graph where tenant = $1 and run = $2",
};

export async function dropGraph(db: Database, run: string): Promise<void> {
  await db.query(dropGraphStatement, [db.tenant, run]);
}
