/**
 * The tables of runs. A migration that was released is never edited.
 *
 * 1. Every key begins with the tenant and the run, and every table is split by a hash of the run:
 *    the rows of one run are in one partition of each.
 * 2. Policies show a session the rows of its own tenant, `turnseal.tenant`, and none without one.
 * 3. Partitions have no grants: a session reaches them through their table, and its policy.
 */
export const runs = `
-- Arbitrates between writers. Epoch 0 means: messages or content, and no log yet.
create table turnseal.head (
  tenant text collate "C" not null,
  run uuid not null,
  epoch bigint not null default 0,
  sequence bigint not null default 0,
  hash text collate "C" not null default '',
  is_erased boolean not null default false,
  primary key (tenant, run)
) partition by hash (run);

-- An event without its run and sequence, as canonical JSON.
create table turnseal.event (
  tenant text collate "C" not null,
  run uuid not null,
  sequence bigint not null,
  body json not null,
  primary key (tenant, run, sequence)
) partition by hash (run);

-- A row without a body was consumed; one without a fingerprint either was erased.
create sequence turnseal.inbox_arrival;
create table turnseal.inbox (
  tenant text collate "C" not null,
  run uuid not null,
  key text collate "C" not null,
  arrival bigint not null default nextval('turnseal.inbox_arrival'),
  received_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  kind text not null,
  fingerprint bytea,
  body json,
  primary key (tenant, run, key)
) partition by hash (run);
create index inbox_pending on turnseal.inbox (tenant, run, arrival) where body is not null;

create table turnseal.blob (
  tenant text collate "C" not null,
  run uuid not null,
  digest bytea not null,
  bytes bytea not null,
  primary key (tenant, run, digest)
) partition by hash (run);

create table turnseal.run_key (
  tenant text collate "C" not null,
  run uuid not null,
  key bytea not null,
  primary key (tenant, run)
) partition by hash (run);

create table turnseal.receipt (
  tenant text collate "C" not null,
  run uuid not null,
  turn bigint not null,
  receipt_id text collate "C" not null,
  envelope json not null,
  primary key (tenant, run, turn)
) partition by hash (run);

-- The latest snapshot of each run, and what lists look for.
create table turnseal.run (
  tenant text collate "C" not null,
  run uuid not null,
  sequence bigint not null,
  state json not null,
  due_at timestamptz,
  ended_at timestamptz,
  is_erased boolean not null default false,
  primary key (tenant, run)
) partition by hash (run);
create index run_due on turnseal.run (tenant, due_at, run) where due_at is not null;
create index run_ended on turnseal.run (tenant, ended_at, run)
  where ended_at is not null and not is_erased;

-- What people were asked and have not answered: their inbox.
create table turnseal.waiting (
  tenant text collate "C" not null,
  run uuid not null,
  sequence bigint not null,
  id text collate "C" not null,
  kind text not null,
  name text not null,
  role text collate "C",
  asked_at timestamptz not null,
  decide_by timestamptz,
  primary key (tenant, run, sequence)
) partition by hash (run);
create index waiting_asked on turnseal.waiting (tenant, asked_at, run, sequence);
create index waiting_role on turnseal.waiting (tenant, role, asked_at, run, sequence);

do $$
declare
  parent text;
  options text;
begin
  foreach parent in array
    array['head', 'event', 'inbox', 'blob', 'run_key', 'receipt', 'run', 'waiting']
  loop
    -- Rows that are updated by every append find room on their own page.
    options := case when parent in ('head', 'run') then 'with (fillfactor = 70)' else '' end;
    for number in 0..15 loop
      execute format(
        'create table turnseal.%I partition of turnseal.%I '
        'for values with (modulus 16, remainder %s) %s',
        parent || '_p' || lpad(number::text, 2, '0'), parent, number, options);
    end loop;
    execute format('alter table turnseal.%I enable row level security', parent);
    execute format(
      'create policy own_tenant on turnseal.%I '
      'using (tenant = current_setting(''turnseal.tenant'', true)) '
      'with check (tenant = current_setting(''turnseal.tenant'', true))', parent);
  end loop;
end
$$;
`;
