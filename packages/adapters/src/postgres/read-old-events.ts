import type { LoopEvent } from "@turnseal/protocol";
import { cutRange, type EventRange } from "../pack-segment.ts";
import { readInteger, readObject } from "./columns.ts";
import type { Database, Statement } from "./open-database.ts";
import { toSegment } from "./statements/read-events.ts";

/** The migration that gave every run a period. */
export const PERIODS_MIGRATION = 10;

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

/** Events of a database of before segments: a deployment asks about runs before it migrates. */
export async function readOldEvents(
  db: Database,
  run: string,
  { from, limit }: EventRange,
): Promise<readonly LoopEvent[]> {
  const rows = await db.query(readOldEventsStatement, [db.tenant, run, from, limit]);
  return rows.map((row) => {
    const sequence = readInteger(row, "sequence");
    // The row was appended as an event, and cannot change.
    return { ...readObject(row, "body"), run, sequence } as unknown as LoopEvent;
  });
}

const readOldSegmentsStatement: Statement = {
  name: "read-old-segments",
  reach: "run",
  text: `
    select first_sequence, last_sequence, body from turnseal.segment
     where tenant = $1 and run = $2 and last_sequence >= $3 and first_sequence < $4
     order by first_sequence`,
};

/** Events of a database of before periods. */
export async function readOldSegments(
  db: Database,
  run: string,
  range: EventRange,
): Promise<readonly LoopEvent[]> {
  const { from, limit } = range;
  const rows = await db.query(readOldSegmentsStatement, [db.tenant, run, from, from + limit]);
  return cutRange(
    rows.map((row) => toSegment(run, row)),
    range,
  );
}
