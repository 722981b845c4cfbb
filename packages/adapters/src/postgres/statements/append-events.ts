import type { Append, RunSnapshot } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { packSegment } from "../../pack-segment.ts";
import { packText } from "../../pack-text.ts";
import { checkDigest, checkRunId, toStorable } from "../names.ts";
import type { Statement } from "../open-database.ts";

/**
 * The head row arbitrates: everything else is inserted for the row that the update answers with, so
 * for none when the head is elsewhere. Whether the run was erased comes from the same row, because
 * it alone is read again after a wait for another writer.
 */
export const APPENDED_ROWS = `
    head as (
      update turnseal.head set sequence = $6, hash = $7
       where tenant = $1 and run = $2 and epoch = $3 and sequence = $4 and hash = $5
      returning is_erased, period),
    segment as (
      insert into turnseal.segment (tenant, run, period, first_sequence, last_sequence, body)
      select $1, $2, period, $4 + 1, $6, $8::bytea from head),
    blobs as (
      insert into turnseal.blob (tenant, run, period, digest, bytes)
      select $1, $2, head.period, item.digest, item.bytes
        from head, unnest($9::bytea[], $10::bytea[]) as item (digest, bytes)
       -- Not an anti-join, which may be planned as a look at every blob of the run.
       where not head.is_erased and (
         select true from turnseal.blob as known
          where known.tenant = $1 and known.run = $2 and known.period = head.period
            and known.digest = item.digest) is null),
    snapshot as (
      insert into turnseal.run as run (tenant, run, sequence, state, due_at, ended_at, started_at)
      select $1, $2, $11::bigint, $12::bytea, $13::timestamptz, $14::timestamptz, $16::text
        from head where $11::bigint is not null
      on conflict (tenant, run) do update
        set sequence = excluded.sequence, state = excluded.state,
            due_at = excluded.due_at, ended_at = excluded.ended_at,
            started_at = excluded.started_at),
    answered as (
      delete from turnseal.waiting as waiting using head
       where waiting.tenant = $1 and waiting.run = $2 and $11::bigint is not null
         and waiting.sequence <> all($15::bigint[]))`;

/** The parts of most appends: events, small blobs and a snapshot. */
export const appendEventsStatement: Statement = {
  name: "append-events",
  reach: "run",
  text: `
    with ${APPENDED_ROWS}
    select (select count(*) from head) as moved,
           not exists (
             select from turnseal.inbox
              where tenant = $1 and run = $2 and body is not null) as inbox_is_empty`,
};

/** The values of every append, after the tenant. */
export function renderRows(append: Append, last: LoopEvent): unknown[] {
  const { run, epoch, after, events, snapshot } = append;
  checkRunId(run);
  // Of two blobs under one digest the first stays.
  const blobs = new Map(append.blobs.toReversed().map(({ digest, bytes }) => [digest, bytes]));
  return [
    ...[run, epoch, after.sequence, after.hash, last.sequence, last.hash],
    packSegment(events),
    [...blobs.keys()].map(checkDigest),
    [...blobs.values()],
    ...[snapshot?.sequence, snapshot && packText(JSON.stringify(snapshot.state))],
    ...[snapshot?.dueAt, snapshot?.endedAt],
    (snapshot?.waiting ?? []).map(({ sequence }) => sequence),
    startOf(snapshot),
  ];
}

/** The start of a run, from its state: lists are in that order. */
function startOf(snapshot: RunSnapshot | undefined): string {
  const startedAt = snapshot?.state["startedAt"];
  return typeof startedAt === "string" ? toStorable(startedAt) : "";
}
