import type { RewrittenGraph } from "@turnseal/ports";
import type { Database, Statement } from "../open-database.ts";

/** The head is held, so that nobody appends meanwhile. An archived run keeps no graph. */
export const rewriteGraphStatement: Statement = {
  name: "rewrite-graph",
  reach: "run",
  text: `
    with head as materialized (
      select sequence from turnseal.head
       where tenant = $1 and run = $2 and sequence = $3 and period <> -1 for update)
    select turnseal.write_graph($1, $2::uuid, 0, sequence, $4::json) as is_written from head`,
};

/** False where the log stands elsewhere. */
export async function rewriteGraph(
  db: Database,
  run: string,
  { sequence, changes }: RewrittenGraph,
): Promise<boolean> {
  const values = [db.tenant, run, sequence, JSON.stringify(changes)];
  return (await db.query(rewriteGraphStatement, values)).length > 0;
}
