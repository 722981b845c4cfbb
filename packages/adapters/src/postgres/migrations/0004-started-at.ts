/**
 * The start of a run, so that lists find the newest without reading all of them. The database takes
 * it from the snapshot itself, so a program without this migration writes it, too. It never changes
 * for a run, so that an append finds room on the page of its row as before.
 */
export const startedAt = `
alter table turnseal.run
  add column started_at text collate "C" not null
  generated always as (coalesce(state->>'startedAt', '')) stored;
create index run_started on turnseal.run (tenant, started_at, run);
`;
