/**
 * What nobody may begin for now, by whose word and why. It is of the whole database and holds no
 * content. Workers only read it. A program that does not know of it does not pause.
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
