/**
 * The public halves of the keys that workers seal with, and which of them are trusted. A listed key
 * only means that a worker's login noted it. The owner's role decides whether it is trusted, and
 * for which time, and no note changes that decision. A program without this migration notes
 * nothing, and is verified as before.
 */
export const signingKeys = `
create table turnseal.signing_key (
  -- Whose runs it is good for; empty where it is a worker's own, and good for those of all.
  tenant text collate "C" not null,
  key_id text collate "C" not null,
  x text collate "C" not null,
  issuer text not null check (issuer in ('development', 'hosted', 'ci')),
  valid_from timestamptz not null,
  valid_until timestamptz,
  noted_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  noted_by text not null default session_user,
  state text not null default 'noted' check (state in ('noted', 'trusted', 'distrusted')),
  decided_at timestamptz,
  decided_by text,
  primary key (tenant, key_id),
  -- The name of a key is its thumbprint (RFC 7638): no other key can be listed under it.
  constraint own_name check (
    x ~ '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$'
    and key_id = rtrim(translate(encode(sha256(convert_to(
      '{"crv":"Ed25519","kty":"OKP","x":"' || x || '"}', 'UTF8')), 'base64'), '+/', '-_'), '=')),
  constraint real_times check (
    valid_from between '0001-01-02T00:00:00Z' and '9999-12-30T00:00:00Z'
    and coalesce(valid_until between valid_from and '9999-12-30T00:00:00Z', true)),
  constraint decided_whole check (
    (state = 'noted') = (decided_by is null) and (state = 'noted') = (decided_at is null))
);

alter table turnseal.signing_key enable row level security;
create policy own_tenant on turnseal.signing_key for select
  using (tenant in ('', current_setting('turnseal.tenant', true)));

create function turnseal.audit_key() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  shown turnseal.signing_key;
begin
  if tg_op = 'DELETE' then shown := old; else shown := new; end if;
  perform turnseal.append_audit('key', shown.key_id,
    case tg_op when 'INSERT' then 'seen' when 'DELETE' then 'removed' else shown.state end,
    -- A note has no person, and the one who decided before has not done what is done now.
    case tg_op
      when 'UPDATE' then case when old.decided_at is distinct from new.decided_at
        then shown.decided_by end
      when 'DELETE' then nullif(current_setting('turnseal.person', true), '') end,
    json_build_object('tenant', nullif(shown.tenant, ''), 'issuer', shown.issuer,
      'validFrom', shown.valid_from, 'validUntil', shown.valid_until));
  return null;
end $$;
create trigger audit_signing_key after insert or update or delete on turnseal.signing_key
  for each row execute function turnseal.audit_key();
create trigger signing_key_not_emptied before truncate on turnseal.signing_key
  for each statement execute function turnseal.refuse_truncate();

-- Lists a key, once. What is listed is not changed by it: it says where the note is another.
create function turnseal.note_key(
  of_tenant text, of_key text, of_x text, of_issuer text, of_from timestamptz,
  of_until timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  known turnseal.signing_key;
begin
  if of_tenant <> '' and of_tenant is distinct from current_setting('turnseal.tenant', true) then
    raise exception 'this is the key of another tenant';
  end if;
  select * into known from turnseal.signing_key where tenant = of_tenant and key_id = of_key;
  if not found then
    lock table turnseal.audit in share row exclusive mode;
    if (select count(*) from turnseal.signing_key where tenant = of_tenant) >= 500
    then return 'full'; end if;
    insert into turnseal.signing_key (tenant, key_id, x, issuer, valid_from, valid_until)
    values (of_tenant, of_key, of_x, of_issuer, of_from, of_until)
    on conflict (tenant, key_id) do nothing;
    return 'noted';
  end if;
  return case
    when known.x = of_x and known.issuer = of_issuer and known.valid_from = of_from
      and known.valid_until is not distinct from of_until then 'known'
    else 'other' end;
end $$;

revoke all on function turnseal.audit_key(),
  turnseal.note_key(text, text, text, text, timestamptz, timestamptz) from public;
`;
