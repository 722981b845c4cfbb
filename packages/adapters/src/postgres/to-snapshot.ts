import type { RunSnapshot, WaitingRow } from "@turnseal/ports";
import { type Row, readInteger, readMoment, readObject, readPacked, readText } from "./columns.ts";

/** Columns of a snapshot, with what its run waits for as one array. */
export function renderSnapshotColumns(tenant: string, run: string): string {
  return `
      run.run, run.sequence, run.state, run.due_at, run.ended_at,
      (select json_agg(json_build_object(
                'sequence', waiting.sequence, 'id', waiting.id, 'kind', waiting.kind,
                'name', waiting.name, 'role', waiting.role,
                'askedAt', extract(epoch from waiting.asked_at) * 1000,
                'decideBy', extract(epoch from waiting.decide_by) * 1000)
              order by waiting.sequence)
         from turnseal.waiting as waiting
        where waiting.tenant = ${tenant} and waiting.run = ${run}) as waiting`;
}

export function toSnapshot(row: Row): RunSnapshot {
  return {
    run: readText(row, "run"),
    sequence: readInteger(row, "sequence"),
    // A deployment also reads a database of before packed states.
    state: row["state"] instanceof Uint8Array ? readPacked(row, "state") : readObject(row, "state"),
    ...(row["due_at"] === null ? {} : { dueAt: readMoment(row, "due_at") }),
    ...(row["ended_at"] === null ? {} : { endedAt: readMoment(row, "ended_at") }),
    ...(row["waiting"] === null ? {} : { waiting: readWaiting(row) }),
  };
}

interface WaitingJson extends Omit<WaitingRow, "askedAt" | "decideBy"> {
  readonly askedAt: number;
  readonly decideBy: number | null;
}

function readWaiting(row: Row): WaitingRow[] {
  // The statement has made the array itself.
  const list = readObject(row, "waiting") as unknown as readonly WaitingJson[];
  return list.map(({ askedAt, decideBy, ...others }) => ({
    ...others,
    askedAt: new Date(askedAt).toISOString(),
    decideBy: decideBy === null ? null : new Date(decideBy).toISOString(),
  }));
}
