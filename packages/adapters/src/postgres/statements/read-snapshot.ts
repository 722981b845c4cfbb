import type { RunSnapshot } from "@turnseal/ports";
import type { Database, Statement } from "../open-database.ts";
import { renderSnapshotColumns, toSnapshot } from "../to-snapshot.ts";

export const readSnapshotStatement: Statement = {
  name: "read-snapshot",
  reach: "run",
  text: `
    select ${renderSnapshotColumns("$1", "$2")}
      from turnseal.run as run where run.tenant = $1 and run.run = $2`,
};

export async function readSnapshot(db: Database, run: string): Promise<RunSnapshot | undefined> {
  const [row] = await db.query(readSnapshotStatement, [db.tenant, run]);
  return row === undefined ? undefined : toSnapshot(row);
}
