import type { Database, Statement } from "../open-database.ts";

export const dropSnapshotStatement: Statement = {
  name: "drop-snapshot",
  reach: "run",
  text: `
    with waiting as (
      delete from turnseal.waiting where tenant = $1 and run = $2)
    delete from turnseal.run where tenant = $1 and run = $2`,
};

export async function dropSnapshot(db: Database, run: string): Promise<void> {
  await db.query(dropSnapshotStatement, [db.tenant, run]);
}
