/**
 * The changes of the deployment, with their authors: tenants, releases, pauses, policies and
 * signing keys.
 *
 * 1. The database itself writes a row, in the transaction of the change, and with the hash of the
 *    row before. A row is never changed or deleted; workers and readers only read. A worker may
 *    note which rules and which key it has: once for each that is new.
 * 2. A change without a person has none: it does not inherit the person of an earlier change.
 * 3. A change has one of the names for its kind, independent of what the session sets.
 * 4. The audited tables cannot be truncated, since no row would record that.
 * 5. Entries wait for one another by a lock. Only the owner can take it, and a worker while it
 *    notes something. So a reader cannot block a pause.
 *
 * A program that does not know of it is noted all the same, without the person.
 */
export const audit = `
create table turnseal.audit (
  number bigint not null primary key,
  at timestamptz not null,
  -- Who was logged in at the database, and who they said they are.
  login text not null,
  person text,
  kind text collate "C" not null check (kind in ('tenant', 'release', 'pause', 'policy', 'key')),
  name text collate "C" not null,
  deed text not null,
  facts json not null,
  previous text not null,
  hash text not null
);
create index audit_seen on turnseal.audit (kind, number);

create function turnseal.audit_hash(entry turnseal.audit)
returns text language sql stable set search_path = pg_catalog, pg_temp as $$
  select encode(sha256(convert_to(json_build_array(
    entry.previous, entry.number, extract(epoch from entry.at)::text, entry.login, entry.person,
    entry.kind, entry.name, entry.deed, entry.facts)::text, 'UTF8')), 'hex')
$$;

create function turnseal.append_audit(
  kind text, name text, deed text, person text, facts json)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  last record;
  entry turnseal.audit;
begin
  -- One at a time: each names the one before it.
  lock table turnseal.audit in share row exclusive mode;
  select audit.number, audit.hash into last
    from turnseal.audit order by audit.number desc limit 1;
  entry.number := coalesce(last.number, 0) + 1;
  entry.at := date_trunc('milliseconds', clock_timestamp());
  entry.login := session_user;
  entry.person := nullif(person, '');
  entry.kind := kind;
  entry.name := name;
  entry.deed := deed;
  entry.facts := facts;
  entry.previous := coalesce(last.hash, '');
  entry.hash := turnseal.audit_hash(entry);
  insert into turnseal.audit select entry.*;
end $$;

create function turnseal.audit_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  earlier json := case when tg_op = 'INSERT' then null else row_to_json(old) end;
  later json := case when tg_op = 'DELETE' then null else row_to_json(new) end;
  shown json := coalesce(later, earlier);
  called text := nullif(current_setting('turnseal.deed', true), '');
  deed text := case
    when tg_op = 'INSERT' and called in ('registered', 'promoted') then called
    when tg_op = 'UPDATE' and called in ('registered', 'promoted', 'drained') then called
    when tg_op = 'DELETE' and called = 'lifted' then called
    when tg_op = 'INSERT' then 'added'
    when tg_op = 'UPDATE' then 'changed'
    else 'removed' end;
  said text := nullif(current_setting('turnseal.person', true), '');
  -- A command that writes a name writes the time, too.
  is_new boolean := coalesce(later ->> 'changed_at', later ->> 'since')
    is distinct from coalesce(earlier ->> 'changed_at', earlier ->> 'since');
  person text := coalesce(said,
    case when is_new then coalesce(later ->> 'changed_by', later ->> 'paused_by') end);
begin
  perform turnseal.append_audit(
    tg_argv[0],
    case when tg_argv[0] = 'pause' then trim((shown ->> 'scope') || ' ' || (shown ->> 'name'))
         else shown ->> 'name' end,
    deed, person,
    case tg_argv[0]
      when 'tenant' then json_build_object('state', shown ->> 'state', 'weight', shown -> 'weight',
        'limits', shown -> 'limits')
      when 'release' then json_build_object('uri', shown ->> 'uri',
        'isDraining', shown -> 'is_draining')
      else json_build_object('because', shown ->> 'because', 'since', shown ->> 'since')
    end);
  return null;
end $$;

create trigger audit_tenant after insert or update or delete on turnseal.tenant
  for each row execute function turnseal.audit_change('tenant');
create trigger audit_release after insert or update or delete on turnseal.release
  for each row execute function turnseal.audit_change('release');
create trigger audit_pause after insert or update or delete on turnseal.pause
  for each row execute function turnseal.audit_change('pause');

-- What a worker has: noted where the last one of its kind, or any of that name, is another.
create function turnseal.note_seen(kind text, name text, facts json) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  known boolean;
begin
  if kind not in ('policy', 'key') or length(name) > 200 or length(facts::text) > 1000 then
    raise exception 'this cannot be noted';
  end if;
  lock table turnseal.audit in share row exclusive mode;
  if kind = 'key' then
    select exists (select from turnseal.audit
      where audit.kind = 'key' and audit.name = note_seen.name) into known;
  else
    select coalesce((select audit.name = note_seen.name from turnseal.audit
      where audit.kind = 'policy' order by audit.number desc limit 1), false) into known;
  end if;
  if known then return false; end if;
  perform turnseal.append_audit(kind, name, 'seen', null, facts);
  return true;
end $$;

create function turnseal.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only added to';
end $$;
create trigger audit_only_added before update or delete or truncate on turnseal.audit
  for each statement execute function turnseal.refuse_change();

create function turnseal.refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'what is done to the deployment is noted row by row';
end $$;
create trigger tenant_not_emptied before truncate on turnseal.tenant
  for each statement execute function turnseal.refuse_truncate();
create trigger release_not_emptied before truncate on turnseal.release
  for each statement execute function turnseal.refuse_truncate();
create trigger pause_not_emptied before truncate on turnseal.pause
  for each statement execute function turnseal.refuse_truncate();

revoke all on function turnseal.append_audit(text, text, text, text, json),
  turnseal.audit_change(), turnseal.note_seen(text, text, json) from public;
`;
