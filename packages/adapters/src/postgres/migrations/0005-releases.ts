/**
 * What is deployed: which loops each release has, and where its workers are. It is of the whole
 * database and holds nothing of a tenant. Workers only read it: who may deploy is the owner. A
 * program that does not know of it hands nothing on.
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
