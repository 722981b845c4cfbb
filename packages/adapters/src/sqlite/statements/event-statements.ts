import type { DatabaseSync } from "node:sqlite";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import { type Row, readInteger, readRecord } from "../columns.ts";
import { packRecord } from "../pack-record.ts";

/** Statements on events, which are inserted and never changed. */
export interface EventStatements {
  insert(number: number, events: readonly LoopEvent[]): void;
  /** True when the very same event is there. */
  has(number: number, event: LoopEvent): boolean;
  list(run: string, from: number, limit: number): LoopEvent[];
}

export function eventStatements(db: DatabaseSync): EventStatements {
  const insert = db.prepare("insert into event (run_number, sequence, body) values (?, ?, ?)");
  const find = db.prepare("select sequence, body from event where run_number = ? and sequence = ?");
  const list = db.prepare(`
    select sequence, body from event
     where run_number = (select number from head where run = ?) and sequence >= ?
     order by sequence limit ?`);
  return {
    insert: (number, events) => {
      for (const { run: _, sequence, ...body } of events)
        insert.run(number, sequence, packRecord(canonicalize(body)));
    },
    has: (number, event) => {
      const row = find.get(number, event.sequence);
      return row !== undefined && canonicalize(toEvent(event.run, row)) === canonicalize(event);
    },
    list: (run, from, limit) => list.all(run, from, limit).map((row) => toEvent(run, row)),
  };
}

function toEvent(run: string, row: Row): LoopEvent {
  const sequence = readInteger(row, "sequence");
  return { ...readRecord(row, "body"), run, sequence } as unknown as LoopEvent;
}
