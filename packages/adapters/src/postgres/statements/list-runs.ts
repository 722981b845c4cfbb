import { RUNS_LIST_MAX, type RunSnapshot } from "@turnseal/ports";
import type { Database, Statement } from "../open-database.ts";
import { renderSnapshotColumns, toSnapshot } from "../to-snapshot.ts";

export const listRunsStatement: Statement = {
  name: "list-runs",
  reach: "tenant",
  text: `
    select ${renderSnapshotColumns("run.tenant", "run.run")}
      from turnseal.run as run
     where run.tenant = $1 and ($2::uuid is null or run.run > $2)
     order by run.run limit ${RUNS_LIST_MAX}`,
};

/** Snapshots in order of the ids of their runs, after one. */
export async function listRuns(
  db: Database,
  after: string | undefined,
): Promise<readonly RunSnapshot[]> {
  const rows = await db.query(listRunsStatement, [db.tenant, after]);
  return rows.map(toSnapshot);
}
