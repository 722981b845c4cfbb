import { RUNS_LIST_MAX } from "@turnseal/ports";
import { readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const listEndedRunsStatement: Statement = {
  name: "list-ended-runs",
  reach: "tenant",
  text: `
    select run from turnseal.run
     where tenant = $1 and ended_at < $2 and not is_erased
     order by ended_at, run limit least($3::int, ${RUNS_LIST_MAX})`,
};

/** Runs that ended before then and still have their content, the oldest first. */
export async function listEndedRuns(
  db: Database,
  before: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.query(listEndedRunsStatement, [db.tenant, before, limit]);
  return rows.map((row) => readText(row, "run"));
}
