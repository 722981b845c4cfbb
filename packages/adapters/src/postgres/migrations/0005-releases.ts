/**
 * The deployed releases: the loops of each, and the address of its workers. The tables belong to
 * the whole database and hold no tenant's data. Workers only read them: the owner deploys. A
 * program without this migration hands nothing on.
 */
export const releases = `
create table turnseal.release (
  name text collate "C" not null primary key,
  uri text not null,
  facts json not null,
  is_draining boolean not null default false,
  registered_at timestamptz not null default now()
);
`;
