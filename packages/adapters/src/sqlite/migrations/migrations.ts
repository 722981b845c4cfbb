import { graphTraces } from "./graph-traces.ts";
import { graphs } from "./graphs.ts";

/** One step of the schema. */
export interface Migration {
  readonly sql: string;
  /**
   * The lowest step that a program must know to read and write this one's schema. It is its own
   * number, or one less where an older program can work with it.
   */
  readonly oldest: number;
}

/**
 * The schema, as numbered steps: the step at index 0 makes version 1. A step that was released is
 * never edited.
 *
 * 1. A run is named by a number in every table, so that its id is written once.
 * 2. An event's data is in its packed text, or in a column that reads search, never in both. The
 *    functions that repack rows of older steps are of `repack-records.ts`.
 * 3. Rows that can be large live in tables with a row id: in an index they would spill to pages of
 *    their own much earlier.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    oldest: 1,
    sql: `
  -- Epoch 0 means that the run has messages or content, and no log yet.
  create table head (
    number integer primary key,
    run text not null unique,
    epoch integer not null,
    sequence integer not null,
    hash text not null
  ) strict;

  create table event (
    id integer primary key,
    run_number integer not null,
    sequence integer not null,
    body blob not null,
    unique (run_number, sequence)
  ) strict;

  -- A row without a body was consumed; one without a fingerprint either was erased.
  create table inbox (
    id integer primary key,
    run_number integer not null,
    key text not null,
    received_at text not null,
    kind text not null,
    fingerprint blob,
    body text,
    unique (run_number, key)
  ) strict;
  create index inbox_pending on inbox (run_number) where body is not null;

  create table blob (
    id integer primary key,
    run_number integer not null,
    digest blob not null,
    bytes blob not null,
    unique (run_number, digest)
  ) strict;

  -- A row without a key says that the run was erased.
  create table run_key (
    run_number integer primary key,
    key blob
  ) strict;

  create table receipt (
    id integer primary key,
    run_number integer not null,
    turn integer not null,
    receipt_id text not null,
    envelope blob not null,
    unique (run_number, turn)
  ) strict;

  create table snapshot (
    run_number integer primary key,
    sequence integer not null,
    state text not null
  ) strict;
  `,
  },
  {
    oldest: 2,
    sql: `
  -- By when to look, when it ended, and what it waits for, as JSON.
  alter table snapshot add column due_at text;
  alter table snapshot add column ended_at text;
  alter table snapshot add column waiting text;
  `,
  },
  {
    oldest: 2,
    sql: `
  -- Which calls gave what. A program that does not know of it erases the content and leaves the
  -- entry, which is worth nothing then.
  create table cached_call (
    name blob primary key,
    run_number integer not null,
    turn integer not null,
    call text not null,
    digest blob not null,
    expires_at integer not null
  ) strict, without rowid;
  create index cached_call_run on cached_call (run_number);
  create index cached_call_expiry on cached_call (expires_at);

  create table cache_key (
    id integer primary key check (id = 1),
    key blob not null
  ) strict;
  `,
  },
  {
    oldest: 4,
    sql: `
  -- The events of one append.
  create table segment (
    id integer primary key,
    run_number integer not null,
    first_sequence integer not null,
    last_sequence integer not null,
    body blob not null,
    unique (run_number, first_sequence)
  ) strict;
  insert into segment (run_number, first_sequence, last_sequence, body)
    select run_number, sequence, sequence, repack_event(body) from event order by id;
  drop table event;
  update receipt set envelope = repack_envelope(envelope);
  `,
  },
  {
    oldest: 4,
    sql: `
  -- Values under keys. A version is given once, also where its key has been taken away.
  create table value (
    id integer primary key,
    key text not null unique,
    version integer not null,
    body text not null
  ) strict;
  create table value_version (
    id integer primary key check (id = 1),
    version integer not null
  ) strict;
  insert into value_version (id, version) values (1, 0);

  create table value_entry (
    id integer primary key,
    log text not null,
    number integer not null,
    body text not null,
    unique (log, number)
  ) strict;
  create trigger value_entry_not_changed before update on value_entry
    begin select raise(abort, 'a log of values is only added to'); end;
  create trigger value_entry_not_removed before delete on value_entry
    begin select raise(abort, 'a log of values is only added to'); end;
  `,
  },
  { oldest: 5, sql: graphs },
  { oldest: 6, sql: graphTraces },
  {
    oldest: 7,
    sql: `
  -- Receipts that observers have not acknowledged. The receipts of a program that does not know of
  -- it are not in it.
  create table outbox (
    id integer primary key,
    observer text not null,
    run_number integer not null,
    turn integer not null,
    receipt_id text not null,
    unique (observer, run_number, turn)
  ) strict;
  `,
  },
];
