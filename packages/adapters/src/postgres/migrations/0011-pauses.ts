/**
 * The pauses, with their authors and reasons. The table belongs to the whole database and holds no
 * content. Workers only read it. A program without this migration does not pause.
 */
export const pauses = `
create table turnseal.pause (
  scope text collate "C" not null check (scope in ('all', 'tenant', 'loop', 'tool')),
  name text collate "C" not null check ((scope = 'all') = (name = '')),
  because text not null,
  paused_by text not null,
  since timestamptz not null default date_trunc('milliseconds', now()),
  primary key (scope, name)
);
`;
