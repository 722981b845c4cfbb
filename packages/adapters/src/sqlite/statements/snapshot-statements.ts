import type { DatabaseSync } from "node:sqlite";
import { RUNS_LIST_MAX, type RunSnapshot, type WaitingRow } from "@turnseal/ports";
import { type Row, readInteger, readObject, readText } from "../columns.ts";

/** Statements on snapshots; a run has at most one. */
export interface SnapshotStatements {
  replace(number: number, snapshot: RunSnapshot): void;
  read(run: string): RunSnapshot | undefined;
  list(after: string): RunSnapshot[];
  /** Runs in the order in which the store came to know of them, the newest first. */
  listNewest(before: string): NewestRun[];
  drop(run: string): void;
}

/** A run; without a snapshot it has messages and no log yet. */
export interface NewestRun {
  readonly run: string;
  readonly snapshot?: RunSnapshot;
}

/** Above the number of every run. */
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

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
  const newest = db.prepare(`
    select head.run, snapshot.*
      from head left join snapshot on snapshot.run_number = head.number
     where head.number < coalesce((select number from head where run = ?), ${NUMBER_MAX})
     order by head.number desc limit ${RUNS_LIST_MAX}`);
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
    listNewest: (before) => newest.all(before).map(toNewest),
    drop: (run) => void drop.run(run),
  };
}

function toNewest(row: Row): NewestRun {
  const run = readText(row, "run");
  return row["sequence"] === null ? { run } : { run, snapshot: toSnapshot(row) };
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
