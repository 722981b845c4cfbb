/**
 * Values under keys, and logs that only grow, of programs around runs. A program that does not know
 * of them leaves them alone.
 *
 * 1. A writer locks each of its keys, in one order. So changes of several keys run one after the
 *    other and never deadlock. Restoring a snapshot locks all keys of the tenant.
 * 2. A version is given once, also if its key has been deleted.
 * 3. Entries are added: no role of a worker may change or remove one.
 */
export const values = `
create sequence turnseal.value_version;

create table turnseal.value (
  tenant text collate "C" not null,
  key text collate "C" not null,
  version bigint not null,
  body text not null,
  primary key (tenant, key),
  constraint plain_key check (key ~ '^[!-~]+$' and length(key) <= 512),
  constraint body_bytes check (octet_length(body) <= 1048576)
);

-- The last number of each log.
create table turnseal.value_log (
  tenant text collate "C" not null,
  log text collate "C" not null,
  last_number bigint not null,
  primary key (tenant, log)
);

create table turnseal.value_entry (
  tenant text collate "C" not null,
  log text collate "C" not null,
  number bigint not null,
  body text not null check (octet_length(body) <= 65536),
  primary key (tenant, log, number)
);

do $$
declare
  name text;
begin
  foreach name in array array['value', 'value_log', 'value_entry'] loop
    execute format('alter table turnseal.%I enable row level security', name);
    execute format(
      'create policy own_tenant on turnseal.%I '
      'using (tenant = current_setting(''turnseal.tenant'', true)) '
      'with check (tenant = current_setting(''turnseal.tenant'', true))', name);
  end loop;
end
$$;

create function turnseal.change_values(of_tenant text, clearing text, changes json)
returns table (is_done boolean, at_key text, at_version bigint)
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  whole bigint := hashtextextended('turnseal values ' || of_tenant, 0);
begin
  if clearing is null then
    perform pg_advisory_xact_lock_shared(whole);
    perform pg_advisory_xact_lock(place) from (
      select distinct hashtextextended('turnseal value ' || of_tenant || ' ' || key, 0) as place
        from json_to_recordset(changes) as change (key text) order by 1) as places;
  else
    perform pg_advisory_xact_lock(whole);
  end if;

  select false, change.key, coalesce(known.version, 0) into is_done, at_key, at_version
    from json_to_recordset(changes) as change (key text, version bigint)
    left join turnseal.value as known on known.tenant = of_tenant and known.key = change.key
   where change.version <> coalesce(known.version, 0)
   order by change.key collate "C" limit 1;
  if found then
    return next;
    return;
  end if;

  select true, null, nextval('turnseal.value_version') into is_done, at_key, at_version;
  if clearing is not null then
    delete from turnseal.value
     where tenant = of_tenant and key >= clearing and key < clearing || chr(127);
  end if;
  delete from turnseal.value as known
   using json_to_recordset(changes) as change (key text, body text)
   where known.tenant = of_tenant and known.key = change.key and change.body is null;
  insert into turnseal.value as known (tenant, key, version, body)
  select of_tenant, change.key, at_version, change.body
    from json_to_recordset(changes) as change (key text, body text) where change.body is not null
  on conflict (tenant, key) do update set version = excluded.version, body = excluded.body;
  return next;
end $$;
revoke all on function turnseal.change_values(text, text, json) from public;
`;
