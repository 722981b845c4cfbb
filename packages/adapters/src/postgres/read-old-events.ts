import type { LoopEvent } from "@turnseal/protocol";
import { readInteger, readObject } from "./columns.ts";
import type { Database, Statement } from "./open-database.ts";

/** The migration that made segments of events. */
export const SEGMENTS_MIGRATION = 6;

const readOldEventsStatement: Statement = {
  name: "read-old-events",
  reach: "run",
  text: `
    select sequence, body from turnseal.event
     where tenant = $1 and run = $2 and sequence >= $3
     order by sequence limit $4`,
};

/** Events of a database of before segments: what a migration would mean is asked before it. */
export async function readOldEvents(
  db: Database,
  run: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly LoopEvent[]> {
  const rows = await db.query(readOldEventsStatement, [db.tenant, run, from, limit]);
  return rows.map((row) => {
    const sequence = readInteger(row, "sequence");
    // What was appended was an event, and the row cannot change.
    return { ...readObject(row, "body"), run, sequence } as unknown as LoopEvent;
  });
}
