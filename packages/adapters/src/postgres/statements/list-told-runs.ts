import { RUNS_LIST_MAX } from "@turnseal/ports";
import { readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const listToldRunsStatement: Statement = {
  name: "list-told-runs",
  reach: "tenant",
  text: `
    select distinct run from turnseal.inbox
     where tenant = $1 and body is not null and received_at <= $2 and run > $3
     order by run limit ${RUNS_LIST_MAX}`,
};

/** Runs whose inbox has unread messages from before a time, by their ids, after one. */
export async function listToldRuns(
  db: Database,
  until: string,
  after: string,
): Promise<readonly string[]> {
  const rows = await db.query(listToldRunsStatement, [db.tenant, until, after]);
  return rows.map((row) => readText(row, "run"));
}
