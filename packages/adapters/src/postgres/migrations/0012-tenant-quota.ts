/**
 * The usage of a tenant with limits: today's, in stripes so that its runs do not queue for one row,
 * and the time of its next start. A row is replaced and never added to by time. A program without
 * this migration counts nothing, and ignores such limits.
 */
export const tenantQuota = `
create table turnseal.tenant_spent (
  tenant text collate "C" not null,
  stripe smallint not null,
  day date not null,
  tokens bigint not null,
  money_micros bigint not null,
  primary key (tenant, stripe)
) with (fillfactor = 50);

create table turnseal.tenant_pace (
  tenant text collate "C" not null primary key,
  next_at timestamptz not null
) with (fillfactor = 50);

do $$
declare
  name text;
begin
  foreach name in array array['tenant_spent', 'tenant_pace'] loop
    execute format('alter table turnseal.%I enable row level security', name);
    execute format(
      'create policy own_tenant on turnseal.%I '
      'using (tenant = current_setting(''turnseal.tenant'', true)) '
      'with check (tenant = current_setting(''turnseal.tenant'', true))', name);
  end loop;
end
$$;
`;
