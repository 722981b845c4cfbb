/** The tables of graphs, and which status follows which. */
export const graphTables = `
  create table graph (
    run_number integer primary key references head (number) on delete cascade,
    -- The event up to which the rows say what the log says.
    sequence integer not null
  ) strict;

  create table graph_node (
    run_number integer not null references graph (run_number) on delete cascade,
    id text not null,
    type text not null,
    status text not null,
    version integer not null,
    owner text,
    place integer,
    object text not null,
    primary key (run_number, id),
    foreign key (run_number, owner) references graph_node (run_number, id) on delete cascade,
    check (coalesce(object ->> '$.status', '') = status),
    check ((owner is null) = (place is null))
  ) strict, without rowid;
  create index graph_node_owner on graph_node (run_number, owner, status);

  create table graph_edge (
    run_number integer not null,
    source text not null,
    kind text not null,
    target text not null,
    primary key (run_number, source, kind, target),
    foreign key (run_number, source) references graph_node (run_number, id) on delete cascade,
    foreign key (run_number, target) references graph_node (run_number, id) on delete cascade
  ) strict, without rowid;
  create index graph_edge_target on graph_edge (run_number, target, kind);

  -- Without an earlier status: the first one.
  create table graph_transition (
    type text not null,
    earlier text not null,
    later text not null,
    primary key (type, earlier, later)
  ) strict, without rowid;
  insert into graph_transition (type, earlier, later) values
    ('role', '', ''),
    ('context', '', 'draft'), ('context', 'draft', 'active'), ('context', 'draft', 'closed'),
    ('context', 'active', 'suspended'), ('context', 'active', 'archived'),
    ('context', 'suspended', 'active'), ('context', 'suspended', 'closed'),
    ('context', 'archived', 'closed'),
    ('plan', '', 'draft'), ('plan', 'draft', 'proposed'), ('plan', 'draft', 'cancelled'),
    ('plan', 'proposed', 'approved'), ('plan', 'proposed', 'draft'),
    ('plan', 'approved', 'in_progress'), ('plan', 'in_progress', 'completed'),
    ('plan', 'in_progress', 'failed'), ('plan', 'in_progress', 'cancelled'),
    ('step', '', 'pending'), ('step', 'pending', 'in_progress'), ('step', 'pending', 'blocked'),
    ('step', 'pending', 'skipped'), ('step', 'in_progress', 'completed'),
    ('step', 'in_progress', 'failed'), ('step', 'blocked', 'pending'),
    ('confirm', '', 'pending'), ('confirm', 'pending', 'approved'),
    ('confirm', 'pending', 'rejected'), ('confirm', 'pending', 'cancelled'),
    ('trace', '', 'pending'), ('trace', 'pending', 'running'), ('trace', 'pending', 'cancelled'),
    ('trace', 'running', 'completed'), ('trace', 'running', 'failed'),
    ('trace', 'running', 'cancelled'),
    ('segment', '', 'pending'), ('segment', 'pending', 'running'),
    ('segment', 'pending', 'skipped'), ('segment', 'running', 'completed'),
    ('segment', 'running', 'failed'), ('segment', 'running', 'cancelled'),
    ('collab', '', 'draft'), ('collab', 'draft', 'active'), ('collab', 'draft', 'cancelled'),
    ('collab', 'active', 'suspended'), ('collab', 'active', 'completed'),
    ('collab', 'active', 'cancelled'), ('collab', 'suspended', 'active'),
    ('dialog', '', 'active'), ('dialog', 'active', 'paused'), ('dialog', 'active', 'completed'),
    ('dialog', 'active', 'cancelled'), ('dialog', 'paused', 'active'),
    ('dialog', 'paused', 'cancelled'),
    ('extension', '', 'registered'), ('extension', 'registered', 'active'),
    ('extension', 'active', 'inactive'), ('extension', 'active', 'deprecated'),
    ('extension', 'inactive', 'active'), ('extension', 'deprecated', 'inactive'),
    ('network', '', 'draft'), ('network', 'draft', 'provisioning'),
    ('network', 'provisioning', 'active'), ('network', 'active', 'degraded'),
    ('network', 'active', 'maintenance'), ('network', 'active', 'retired'),
    ('network', 'degraded', 'active'), ('network', 'maintenance', 'active'),
    ('core', '', 'draft'), ('core', 'draft', 'active'), ('core', 'active', 'deprecated'),
    ('core', 'deprecated', 'archived');

`;
