import type { DatabaseSync } from "node:sqlite";
import { RUNS_LIST_MAX, type RunSnapshot, type WaitingRow } from "@turnseal/ports";
import { type Row, readInteger, readObject, readText } from "../columns.ts";

/** Statements on snapshots, of which a run has at most one. */
export interface SnapshotStatements {
  replace(number: number, snapshot: RunSnapshot): void;
  read(run: string): RunSnapshot | undefined;
  list(after: string): RunSnapshot[];
  drop(run: string): void;
}

export function snapshotStatements(db: DatabaseSync): SnapshotStatements {
  const replace = db.prepare(`
    insert or replace into snapshot (run_number, sequence, state, due_at, ended_at, waiting)
    values (?, ?, ?, ?, ?, ?)`);
  const read = db.prepare(`
    select head.run, snapshot.*
      from head join snapshot on snapshot.run_number = head.number
     where head.run = ?`);
  const list = db.prepare(`
    select head.run, snapshot.*
      from head join snapshot on snapshot.run_number = head.number
     where head.run > ? order by head.run limit ${RUNS_LIST_MAX}`);
  const drop = db.prepare(`
    delete from snapshot where run_number = (select number from head where run = ?)`);
  return {
    replace: (number, { sequence, state, dueAt, endedAt, waiting }) => {
      const said = waiting === undefined ? null : JSON.stringify(waiting);
      const text = JSON.stringify(state);
      replace.run(number, sequence, text, dueAt ?? null, endedAt ?? null, said);
    },
    read: (run) => {
      const row = read.get(run);
      return row === undefined ? undefined : toSnapshot(row);
    },
    list: (after) => list.all(after).map(toSnapshot),
    drop: (run) => void drop.run(run),
  };
}

function toSnapshot(row: Row): RunSnapshot {
  return {
    run: readText(row, "run"),
    sequence: readInteger(row, "sequence"),
    state: readObject(row, "state"),
    ...(row["due_at"] === null ? {} : { dueAt: readText(row, "due_at") }),
    ...(row["ended_at"] === null ? {} : { endedAt: readText(row, "ended_at") }),
    ...(row["waiting"] === null ? {} : { waiting: readWaiting(row) }),
  };
}

function readWaiting(row: Row): readonly WaitingRow[] {
  return readObject(row, "waiting") as unknown as readonly WaitingRow[];
}
