import type { DatabaseSync } from "node:sqlite";
import type { LoopEvent } from "@turnseal/protocol";
import {
  cutRange,
  type EventRange,
  holdsEvent,
  packSegment,
  type SegmentRow,
} from "../../pack-segment.ts";
import { type Row, readBytes, readInteger } from "../columns.ts";

/** Statements on events, which are inserted a segment at a time and never changed. */
export interface EventStatements {
  insert(number: number, events: readonly LoopEvent[]): void;
  /** True when the very same event is there. */
  has(number: number, event: LoopEvent): boolean;
  list(run: string, range: EventRange): LoopEvent[];
}

export function eventStatements(db: DatabaseSync): EventStatements {
  const insert = db.prepare(`
    insert into segment (run_number, first_sequence, last_sequence, body) values (?, ?, ?, ?)`);
  const find = db.prepare(`
    select first_sequence, last_sequence, body from segment
     where run_number = ? and first_sequence <= ?
     order by first_sequence desc limit 1`);
  const list = db.prepare(`
    select first_sequence, last_sequence, body from segment
     where run_number = (select number from head where run = :run)
       and first_sequence >= coalesce((
         select max(first_sequence) from segment
          where run_number = (select number from head where run = :run)
            and first_sequence <= :from), 0)
       and first_sequence < :until and last_sequence >= :from
     order by first_sequence`);
  return {
    insert: (number, events) => {
      const [first = Number.NaN, last = Number.NaN] = [
        events[0]?.sequence,
        events.at(-1)?.sequence,
      ];
      insert.run(number, first, last, packSegment(events));
    },
    has: (number, event) => {
      const row = find.get(number, event.sequence);
      return row !== undefined && holdsEvent(toSegment(event.run, row), event);
    },
    list: (run, range) => {
      const { from, limit } = range;
      const rows = list.all({ run, from, until: from + limit });
      return cutRange(
        rows.map((row) => toSegment(run, row)),
        range,
      );
    },
  };
}

function toSegment(run: string, row: Row): SegmentRow {
  return {
    run,
    first: readInteger(row, "first_sequence"),
    last: readInteger(row, "last_sequence"),
    body: readBytes(row, "body"),
  };
}
