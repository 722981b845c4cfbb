import type { InboxMessage } from "@turnseal/ports";
import { readFlag } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const hasMessageStatement: Statement = {
  name: "has-message",
  reach: "run",
  text: `
    select exists (
      select from turnseal.inbox
       where tenant = $1 and run = $2 and body is not null
         and ($3::text is null or kind = $3)) as has_message`,
};

/** Whether something waits for a run. No body is read. */
export async function hasMessage(
  db: Database,
  run: string,
  kind?: InboxMessage["kind"],
): Promise<boolean> {
  const [row] = await db.query(hasMessageStatement, [db.tenant, run, kind]);
  return readFlag(row, "has_message");
}
