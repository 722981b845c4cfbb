import { INBOX_READ_MAX, type InboxMessage, type InboxRow } from "@turnseal/ports";
import { readMoment, readObject, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const peekInboxStatement: Statement = {
  name: "peek-inbox",
  reach: "run",
  text: `
    select key, received_at, kind, body from turnseal.inbox
     where tenant = $1 and run = $2 and body is not null and ($3::text is null or kind = $3)
     order by arrival limit ${INBOX_READ_MAX}`,
};

export async function peekInbox(
  db: Database,
  run: string,
  kind?: InboxMessage["kind"],
): Promise<readonly InboxRow[]> {
  const rows = await db.query(peekInboxStatement, [db.tenant, run, kind]);
  return rows.map((row) => ({
    run,
    key: readText(row, "key"),
    // Only kinds of messages are put.
    kind: readText(row, "kind") as InboxMessage["kind"],
    body: readObject(row, "body"),
    receivedAt: readMoment(row, "received_at"),
  }));
}
