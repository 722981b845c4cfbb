/**
 * The events of one append as one row, compressed together, and compressed receipts. Existing
 * events become segments of plain text, some events each. Older workers know neither: they are
 * stopped while it is applied.
 */
export const segments = `
create table turnseal.segment (
  tenant text collate "C" not null,
  run uuid not null,
  first_sequence bigint not null,
  last_sequence bigint not null,
  body bytea not null,
  primary key (tenant, run, first_sequence)
) partition by hash (run);

do $$
begin
  for number in 0..15 loop
    execute format(
      'create table turnseal.%I partition of turnseal.segment '
      'for values with (modulus 16, remainder %s)',
      'segment_p' || lpad(number::text, 2, '0'), number);
  end loop;
end
$$;
alter table turnseal.segment enable row level security;
create policy own_tenant on turnseal.segment
  using (tenant = current_setting('turnseal.tenant', true))
  with check (tenant = current_setting('turnseal.tenant', true));

-- The first byte says that the text is plain.
insert into turnseal.segment (tenant, run, first_sequence, last_sequence, body)
select tenant, run, min(sequence), max(sequence),
       '\\x00'::bytea || convert_to(
         '[' || string_agg(body::text, ',' order by sequence) || ']', 'UTF8')
  from turnseal.event
 group by tenant, run, (sequence - 1) / 16;
drop table turnseal.event;

alter table turnseal.receipt
  alter column envelope type bytea
  using '\\x00'::bytea || convert_to(envelope::text, 'UTF8');
`;
