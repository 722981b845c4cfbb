import { type EpochTaken, type FoundBeside, INBOX_READ_MAX, type InboxRow } from "@turnseal/ports";
import { type Row, readBytes, readFlag, readInteger, readObject, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";
import { retryClash } from "../retry-clash.ts";
import { renderSnapshotColumns, toSnapshot } from "../to-snapshot.ts";

/**
 * Takes the epoch, and reads what its owner reads next. If it waits for another writer, only the
 * head row is read again: its earlier value tells whether everything else is of that very head.
 *
 * There is at most one row of each. Where a plan for all values would count one for each partition,
 * their product would have the server compile it, which takes seconds.
 */
export const takeRunStatement: Statement = {
  name: "take-run",
  reach: "run",
  text: `
    with before as (
      select epoch, sequence, is_erased from turnseal.head
       where tenant = $1 and run = $2 limit 1),
    taken as (
      insert into turnseal.head as head (tenant, run, epoch) values ($1, $2, 1)
      on conflict (tenant, run) do update set epoch = head.epoch + 1
      returning epoch, sequence, hash, is_erased),
    known as (
      select key from turnseal.run_key where tenant = $1 and run = $2 limit 1),
    kept as (
      insert into turnseal.run_key (tenant, run, key)
      select $1, $2, $3 from taken where not is_erased and not exists (select from known)
      returning key),
    run as (
      select * from turnseal.run where tenant = $1 and run = $2 limit 1)
    select taken.epoch, taken.sequence as head_sequence, taken.hash,
           coalesce(before.epoch = taken.epoch - 1 and before.sequence = taken.sequence
             and before.is_erased = taken.is_erased, false) as is_whole,
           case when not taken.is_erased then coalesce(known.key, kept.key) end as key,
           ${renderSnapshotColumns("$1", "$2")},
           (select json_agg(json_build_object(
                     'key', told.key, 'kind', told.kind, 'body', told.body,
                     'receivedAt', extract(epoch from told.received_at) * 1000)
                   order by told.arrival)
              from (select * from turnseal.inbox
                     where tenant = $1 and run = $2 and body is not null and run.ended_at is null
                     order by arrival limit ${INBOX_READ_MAX}) as told) as inbox
      from taken left join before on true left join known on true left join kept on true
           left join run on true`,
};

/** Makes the caller the run's only writer, and gives the run its key where it has none. */
export async function takeRun(db: Database, run: string, key: Uint8Array): Promise<EpochTaken> {
  const values = [db.tenant, run, key];
  const [row] = await retryClash(["run_key"], () => db.query(takeRunStatement, values));
  const head = { sequence: readInteger(row, "head_sequence"), hash: readText(row, "hash") };
  const taken = { epoch: readInteger(row, "epoch"), head };
  return row === undefined || !readFlag(row, "is_whole")
    ? taken
    : { ...taken, found: readFound(run, row) };
}

function readFound(run: string, row: Row): FoundBeside {
  return {
    // A run without a snapshot has none of its columns.
    snapshot: row["run"] === null ? undefined : toSnapshot(row),
    key: row["key"] === null ? undefined : readBytes(row, "key"),
    ...(row["ended_at"] === null ? { inbox: readInbox(run, row) } : {}),
  };
}

/** A row of the inbox as the statement renders it: when it was received is a number there. */
type ToldJson = Omit<InboxRow, "run" | "receivedAt"> & { readonly receivedAt: number };

function readInbox(run: string, row: Row): readonly InboxRow[] {
  if (row["inbox"] === null) return [];
  // The statement has made the array itself.
  const list = readObject(row, "inbox") as unknown as readonly ToldJson[];
  return list.map(({ key, kind, body, receivedAt }) => {
    return { run, key, kind, body, receivedAt: new Date(receivedAt).toISOString() };
  });
}
