import { readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/** Runs of which it is looked where they are. */
const NEIGHBOURS = 100;

export const listArchivePlacesStatement: Statement = {
  name: "list-archive-places",
  reach: "tenant",
  text: `
    select place from turnseal.archived
     where tenant = $1 and run > $2 order by run limit ${NEIGHBOURS}`,
};

const noRun = "00000000-0000-0000-0000-000000000000";

/**
 * Where runs of the tenant are archived, as those with the ids after one say. Ids are random, so
 * that they speak for all.
 */
export async function listArchivePlaces(db: Database, run: string): Promise<readonly string[]> {
  const after = await db.query(listArchivePlacesStatement, [db.tenant, run]);
  const rows =
    after.length > 0 ? after : await db.query(listArchivePlacesStatement, [db.tenant, noRun]);
  return [...new Set(rows.map((row) => readText(row, "place")))];
}
