import { RUNS_LIST_MAX, type RunSnapshot } from "@turnseal/ports";
import type { Database, Statement } from "../open-database.ts";
import { toSnapshot } from "../to-snapshot.ts";

export const listUnfinishedRunsStatement: Statement = {
  name: "list-unfinished-runs",
  reach: "tenant",
  text: `
    select run, sequence, state, null as due_at, null as ended_at, null as waiting
      from turnseal.run
     where tenant = $1 and run > $2 and ended_at is null
     order by run limit ${RUNS_LIST_MAX}`,
};

/** Snapshots of runs that have not ended, by their ids, after one. */
export async function listUnfinishedRuns(
  db: Database,
  after: string,
): Promise<readonly RunSnapshot[]> {
  const rows = await db.query(listUnfinishedRunsStatement, [db.tenant, after]);
  return rows.map(toSnapshot);
}
