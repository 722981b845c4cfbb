import { RUNS_LIST_MAX, type RunSnapshot } from "@turnseal/ports";
import type { Database, Statement } from "../open-database.ts";
import { renderSnapshotColumns, toSnapshot } from "../to-snapshot.ts";

/** After every time that a run can have been started at. */
const LATEST = "~";

export const listNewestRunsStatement: Statement = {
  name: "list-newest-runs",
  reach: "tenant",
  text: `
    select ${renderSnapshotColumns("run.tenant", "run.run")}
      from turnseal.run as run
     where run.tenant = $1
       and (run.started_at, run.run) < (
         coalesce((select place.started_at from turnseal.run as place
                    where place.tenant = $1 and place.run = $2), '${LATEST}'), $2::uuid)
     order by run.started_at desc, run.run desc limit ${RUNS_LIST_MAX}`,
};

/** Snapshots of runs, the latest start first, before one. */
export async function listNewestRuns(
  db: Database,
  before: string,
): Promise<readonly RunSnapshot[]> {
  const rows = await db.query(listNewestRunsStatement, [db.tenant, before]);
  return rows.map(toSnapshot);
}
