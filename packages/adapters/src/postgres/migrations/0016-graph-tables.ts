/** The tables of graphs, and which status follows which. */
export const graphTables = `
create table turnseal.graph (
  tenant text collate "C" not null,
  run uuid not null,
  -- The event up to which the rows say what the log says.
  sequence bigint not null,
  primary key (tenant, run),
  foreign key (tenant, run) references turnseal.head (tenant, run) on delete cascade
);

create table turnseal.graph_node (
  tenant text collate "C" not null,
  run uuid not null,
  id uuid not null,
  type text collate "C" not null,
  status text collate "C" not null,
  version bigint not null,
  owner uuid,
  place integer,
  object json not null,
  primary key (tenant, run, id),
  foreign key (tenant, run) references turnseal.graph (tenant, run) on delete cascade,
  foreign key (tenant, run, owner) references turnseal.graph_node (tenant, run, id)
    on delete cascade,
  constraint own_status check (coalesce(object ->> 'status', '') = status),
  constraint own_place check ((owner is null) = (place is null))
);
create index graph_node_owner on turnseal.graph_node (tenant, run, owner, status);

create table turnseal.graph_edge (
  tenant text collate "C" not null,
  run uuid not null,
  source uuid not null,
  kind text collate "C" not null,
  target uuid not null,
  primary key (tenant, run, source, kind, target),
  foreign key (tenant, run, source) references turnseal.graph_node (tenant, run, id)
    on delete cascade,
  foreign key (tenant, run, target) references turnseal.graph_node (tenant, run, id)
    on delete cascade
);
create index graph_edge_target on turnseal.graph_edge (tenant, run, target, kind);

-- Without an earlier status: the first one.
create table turnseal.graph_transition (
  type text collate "C" not null,
  earlier text collate "C" not null,
  later text collate "C" not null,
  primary key (type, earlier, later)
);
insert into turnseal.graph_transition (type, earlier, later) values
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

do $$
declare
  name text;
begin
  foreach name in array array['graph', 'graph_node', 'graph_edge'] loop
    execute format('alter table turnseal.%I enable row level security', name);
    execute format(
      'create policy own_tenant on turnseal.%I '
      'using (tenant = current_setting(''turnseal.tenant'', true)) '
      'with check (tenant = current_setting(''turnseal.tenant'', true))', name);
  end loop;
end
$$;

`;
