/**
 * Receipts that observers have not acknowledged, written with the receipt. A row is deleted when
 * its observer has heard of it. The receipts of a program without this migration are not in it.
 */
export const outbox = `
create table turnseal.outbox (
  tenant text collate "C" not null,
  observer text collate "C" not null,
  run uuid not null,
  turn bigint not null,
  receipt_id text collate "C" not null,
  primary key (tenant, observer, run, turn)
);
alter table turnseal.outbox enable row level security;
create policy own_tenant on turnseal.outbox
  using (tenant = current_setting('turnseal.tenant', true))
  with check (tenant = current_setting('turnseal.tenant', true));
`;
