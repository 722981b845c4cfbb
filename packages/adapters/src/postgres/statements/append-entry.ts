import { readInteger } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const appendEntryStatement: Statement = {
  name: "append-entry",
  reach: "tenant",
  // A second time it would be added twice.
  isAskedOnce: true,
  text: `
    with log as (
      insert into turnseal.value_log as known (tenant, log, last_number) values ($1, $2, 1)
      on conflict (tenant, log) do update set last_number = known.last_number + 1
      returning last_number)
    insert into turnseal.value_entry (tenant, log, number, body)
    select $1, $2, last_number, $3 from log
    returning number`,
};

/** Adds an entry to a log, and answers with its number. */
export async function appendEntry(db: Database, log: string, body: string): Promise<number> {
  const [row] = await db.query(appendEntryStatement, [db.tenant, log, body]);
  return readInteger(row, "number");
}
