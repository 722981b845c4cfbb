/**
 * Which calls gave what, and the key under which a tenant names its calls. The tables hold no
 * content, and can be emptied at any time. A program that does not know of them erases the content
 * of a run and leaves the entries, which are worth nothing then.
 */
export const cachedCalls = `
create table turnseal.cached_call (
  tenant text collate "C" not null,
  name bytea not null,
  run uuid not null,
  turn bigint not null,
  call text not null,
  digest bytea not null,
  expires_at bigint not null,
  primary key (tenant, name)
);
create index cached_call_run on turnseal.cached_call (tenant, run);
create index cached_call_expiry on turnseal.cached_call (tenant, expires_at);

create table turnseal.cache_key (
  tenant text collate "C" not null primary key,
  key bytea not null
);

do $$
declare
  name text;
begin
  foreach name in array array['cached_call', 'cache_key'] loop
    execute format('alter table turnseal.%I enable row level security', name);
    execute format(
      'create policy own_tenant on turnseal.%I '
      'using (tenant = current_setting(''turnseal.tenant'', true)) '
      'with check (tenant = current_setting(''turnseal.tenant'', true))', name);
  end loop;
end
$$;
`;
