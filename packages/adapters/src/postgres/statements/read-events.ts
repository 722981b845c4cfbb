import type { LoopEvent } from "@turnseal/protocol";
import { readInteger, readObject } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readEventsStatement: Statement = {
  name: "read-events",
  reach: "run",
  text: `
    select sequence, body from turnseal.event
     where tenant = $1 and run = $2 and sequence >= $3
     order by sequence limit $4`,
};

export interface EventRange {
  readonly from: number;
  readonly limit: number;
}

export async function readEvents(
  db: Database,
  run: string,
  { from, limit }: EventRange,
): Promise<readonly LoopEvent[]> {
  const rows = await db.query(readEventsStatement, [db.tenant, run, from, limit]);
  return rows.map((row) => {
    const sequence = readInteger(row, "sequence");
    // What was appended was an event, and the row cannot change.
    return { ...readObject(row, "body"), run, sequence } as unknown as LoopEvent;
  });
}
