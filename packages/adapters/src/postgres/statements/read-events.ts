import type { LoopEvent } from "@turnseal/protocol";
import { cutRange, type EventRange, type SegmentRow } from "../../pack-segment.ts";
import { type Row, readBytes, readInteger } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";
import { PERIOD_OF_RUN } from "../open-run.ts";

/** From the segment that holds the first event on: sequence numbers have no gaps. */
export const readEventsStatement: Statement = {
  name: "read-events",
  reach: "run",
  text: `
    select first_sequence, last_sequence, body from turnseal.segment
     where tenant = $1 and run = $2 and period = ${PERIOD_OF_RUN}
       and first_sequence >= coalesce((
         select first_sequence from turnseal.segment
          where tenant = $1 and run = $2 and period = ${PERIOD_OF_RUN}
            and first_sequence <= $3::bigint
          order by first_sequence desc limit 1), 0)
       and first_sequence < $4::bigint and last_sequence >= $3::bigint
     order by first_sequence`,
};

export async function readEvents(
  db: Database,
  run: string,
  range: EventRange,
): Promise<readonly LoopEvent[]> {
  const { from, limit } = range;
  const rows = await db.query(readEventsStatement, [db.tenant, run, from, from + limit]);
  return cutRange(
    rows.map((row) => toSegment(run, row)),
    range,
  );
}

export function toSegment(run: string, row: Row): SegmentRow {
  return {
    run,
    first: readInteger(row, "first_sequence"),
    last: readInteger(row, "last_sequence"),
    body: readBytes(row, "body"),
  };
}
