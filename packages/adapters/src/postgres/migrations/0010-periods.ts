/**
 * The large tables of a run, by the period in which it began: when every run of a period is in an
 * archive, the period is dropped as a whole, without a search. Older workers do not know periods:
 * they are stopped while it is applied.
 *
 * 1. The head of a run says its period. A period with a head is never dropped; no period but the
 *    newest gets new ones. Its tables are there before any run gets its number.
 * 2. Period 0 is never dropped. It has what outlives its period: the runs that do not end. The head
 *    of an archived run says -1: no list looks for those, and later additions to one are kept.
 * 3. A run is archived, or moved to period 0, under the lock of its head: so no write adds to
 *    removed rows.
 * 4. A place has a row for a tenant before anything of the tenant is put there, and as long as
 *    something is. So an erasure knows where to look, also for bundles that were never noted.
 */
export const periods = `
create table turnseal.period (
  number integer not null primary key,
  opened_at timestamptz not null default now(),
  -- No run is begun in it any more.
  closed_at timestamptz,
  dropped_at timestamptz
);
insert into turnseal.period (number) values (1);

alter table turnseal.head add column period integer not null default 1;
create index head_period on turnseal.head (period, tenant, run);

-- Where runs of a tenant may be, noted or not.
create table turnseal.archive_place (
  tenant text collate "C" not null,
  place text collate "C" not null,
  primary key (tenant, place)
);
alter table turnseal.archive_place enable row level security;
create policy own_tenant on turnseal.archive_place
  using (tenant = current_setting('turnseal.tenant', true))
  with check (tenant = current_setting('turnseal.tenant', true));

-- Where a run is that is not here any more: a name in the archive, and the end of its log.
create table turnseal.archived (
  tenant text collate "C" not null,
  run uuid not null,
  sequence bigint not null,
  hash text collate "C" not null,
  place text collate "C" not null,
  -- False where it was erased, or left out: what is there all the same is not shown.
  has_content boolean not null,
  archived_at timestamptz not null default now(),
  primary key (tenant, run),
  foreign key (tenant, place) references turnseal.archive_place
);
alter table turnseal.archived enable row level security;
create policy own_tenant on turnseal.archived
  using (tenant = current_setting('turnseal.tenant', true))
  with check (tenant = current_setting('turnseal.tenant', true));

do $$
declare
  parent text;
  key text;
begin
  for parent, key in
    values ('segment', 'first_sequence'), ('receipt', 'turn'), ('blob', 'digest')
  loop
    execute format('alter table turnseal.%I rename to before', parent);
    execute format('alter index turnseal.%I rename to before_pkey', parent || '_pkey');
    execute format(
      'create table turnseal.%I (like turnseal.before, period integer not null, '
      'primary key (tenant, run, %I, period)) partition by list (period)', parent, key);
    execute format('create table turnseal.%I partition of turnseal.%I for values in (0, -1)',
      parent || '_t0', parent);
    execute format('create table turnseal.%I partition of turnseal.%I for values in (1)',
      parent || '_t1', parent);
    execute format('insert into turnseal.%I select before.*, 1 from turnseal.before', parent);
    drop table turnseal.before;
    execute format('alter table turnseal.%I enable row level security', parent);
    execute format(
      'create policy own_tenant on turnseal.%I '
      'using (tenant = current_setting(''turnseal.tenant'', true)) '
      'with check (tenant = current_setting(''turnseal.tenant'', true))', parent);
  end loop;
end
$$;

-- Closes the newest period, unless another has done so, and answers with the newest then; with
-- nothing where a table was not free.
create function turnseal.open_period(known integer) returns integer language plpgsql as $$
declare
  newest integer;
  parent text;
begin
  -- Every append waits behind this: it is asked again rather than waited for.
  perform set_config('lock_timeout', '500', true);
  lock table turnseal.head in access exclusive mode;
  select max(number) into newest from turnseal.period;
  if newest <> known then return newest; end if;
  newest := newest + 1;
  foreach parent in array array['segment', 'receipt', 'blob'] loop
    execute format('create table turnseal.%I partition of turnseal.%I for values in (%s)',
      parent || '_t' || newest, parent, newest);
  end loop;
  execute format('alter table only turnseal.head alter column period set default %s', newest);
  update turnseal.period set closed_at = now() where number = known;
  insert into turnseal.period (number) values (newest);
  return newest;
exception when lock_not_available then
  return null;
end
$$;

-- Drops a period that no head names. Nothing of it is read. It answers with nothing where a table
-- was not free.
create function turnseal.drop_period(dropped integer) returns boolean language plpgsql as $$
declare
  parent text;
begin
  perform set_config('lock_timeout', '500', true);
  if not exists (
    select from turnseal.period
     where number = dropped and closed_at is not null and dropped_at is null for update)
  then return false; end if;
  if exists (select from turnseal.head where period = dropped) then return false; end if;
  foreach parent in array array['segment', 'receipt', 'blob'] loop
    execute format('drop table turnseal.%I', parent || '_t' || dropped);
  end loop;
  update turnseal.period set dropped_at = now() where number = dropped;
  return true;
exception when lock_not_available then
  return null;
end
$$;

-- Lets a run outlive its period.
create function turnseal.keep_run(of_tenant text, of_run uuid) returns boolean
language plpgsql as $$
declare
  was integer;
begin
  select period into was from turnseal.head
   where tenant = of_tenant and run = of_run and period > 0 for update;
  if not found then return false; end if;
  update turnseal.head set period = 0 where tenant = of_tenant and run = of_run;
  update turnseal.segment set period = 0
   where tenant = of_tenant and run = of_run and period = was;
  update turnseal.receipt set period = 0
   where tenant = of_tenant and run = of_run and period = was;
  update turnseal.blob set period = 0
   where tenant = of_tenant and run = of_run and period = was;
  return true;
end
$$;

-- Notes that a run which has ended is in an archive, up to the end of its log, and that nothing is
-- added to it here any more; or says why that is not so. What it has in its period stays until
-- that is dropped.
create function turnseal.archive_run(
  of_tenant text, of_run uuid, at_sequence bigint, at_hash text, has_content boolean,
  to_place text) returns text
language plpgsql as $$
declare
  held turnseal.head;
  noted turnseal.archived;
begin
  select * into held from turnseal.head
   where tenant = of_tenant and run = of_run for update;
  if not found or held.sequence <> at_sequence or held.hash <> at_hash then return 'moved'; end if;
  select * into noted from turnseal.archived where tenant = of_tenant and run = of_run;
  -- The same note, asked again because no answer came, has the same answer.
  if found then
    return case when noted.place = to_place and noted.has_content = has_content
                then 'archived' else 'noted' end;
  end if;
  if held.is_erased and has_content then return 'erased'; end if;
  if not exists (
       select from turnseal.run
        where tenant = of_tenant and run = of_run and ended_at is not null)
     or exists (
       select from turnseal.inbox
        where tenant = of_tenant and run = of_run and body is not null)
     or exists (select from turnseal.waiting where tenant = of_tenant and run = of_run)
  then return 'unfinished'; end if;
  insert into turnseal.archived (tenant, run, sequence, hash, place, has_content)
  values (of_tenant, of_run, at_sequence, at_hash, to_place, has_content);
  update turnseal.head set period = -1, epoch = epoch + 1, is_erased = true
   where tenant = of_tenant and run = of_run;
  update turnseal.run set is_erased = true where tenant = of_tenant and run = of_run;
  update turnseal.inbox set fingerprint = null
   where tenant = of_tenant and run = of_run and fingerprint is not null;
  delete from turnseal.run_key where tenant = of_tenant and run = of_run;
  delete from turnseal.cached_call where tenant = of_tenant and run = of_run;
  delete from turnseal.segment where tenant = of_tenant and run = of_run and period = 0;
  delete from turnseal.receipt where tenant = of_tenant and run = of_run and period = 0;
  delete from turnseal.blob where tenant = of_tenant and run = of_run and period = 0;
  return 'archived';
end
$$;
revoke all on function turnseal.open_period, turnseal.drop_period, turnseal.keep_run,
  turnseal.archive_run from public;
`;
