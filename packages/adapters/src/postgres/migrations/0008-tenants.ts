/**
 * The tenants, with shares and limits. The table belongs to the whole database and holds no
 * content. Workers only read it. It starts with every tenant that has a run, and the default
 * tenant, so that no run stops by this. A program without this migration serves its configured
 * tenants.
 */
export const tenants = `
create table turnseal.tenant (
  name text collate "C" not null primary key,
  state text not null default 'active' check (state in ('active', 'suspended')),
  weight integer not null default 1 check (weight between 1 and 1000),
  limits json not null default '{}',
  changed_at timestamptz not null default now(),
  changed_by text not null
);

insert into turnseal.tenant (name, changed_by)
with recursive known (name) as (
  (select min(tenant) from turnseal.run)
  union all
  select (select min(tenant) from turnseal.run where tenant > known.name)
    from known where known.name is not null)
select name, 'migration' from known where name is not null
union
select 'default', 'migration';
`;
