import type { EntryRow } from "@turnseal/ports";
import { readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readEntriesStatement: Statement = {
  name: "read-entries",
  reach: "tenant",
  text: `
    select number, body from turnseal.value_entry
     where tenant = $1 and log = $2 and number >= $3 order by number limit $4`,
};

export async function readEntries(
  db: Database,
  log: string,
  from: number,
  limit: number,
): Promise<readonly EntryRow[]> {
  const rows = await db.query(readEntriesStatement, [db.tenant, log, from, limit]);
  return rows.map((row) => ({ number: readInteger(row, "number"), body: readText(row, "body") }));
}
