/**
 * The state of a run packed as segments are, so that a snapshot finds room on the page of the one
 * that it replaces. When a run was started is a column that appends write: it does not change.
 */
export const packedState = `
alter table turnseal.run add column started text collate "C" not null default '';
update turnseal.run set started = started_at;
alter table turnseal.run drop column started_at;
alter table turnseal.run rename column started to started_at;
create index run_started on turnseal.run (tenant, started_at, run);

-- The first byte says that the text is plain.
alter table turnseal.run
  alter column state type bytea
  using '\\x00'::bytea || convert_to(state::text, 'UTF8');
`;
