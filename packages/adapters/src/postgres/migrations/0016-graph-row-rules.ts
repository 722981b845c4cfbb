/** The rules for adding, changing and removing a node or an edge of a graph. */
export const graphRowRules = `create function turnseal.check_graph_node() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  holder turnseal.graph_node;
  is_part boolean;
begin
  -- A graph that is dropped goes as a whole.
  if tg_op = 'DELETE' and not exists (
    select from turnseal.graph where tenant = old.tenant and run = old.run) then
    return old;
  end if;
  if tg_op <> 'INSERT' and turnseal.is_final(old.type, old.status) then
    perform turnseal.refuse_graph('finished', old.id);
  end if;
  if tg_op = 'UPDATE' and (
    (new.tenant, new.run, new.id, new.type) <> (old.tenant, old.run, old.id, old.type)
    or new.owner is distinct from old.owner or new.place is distinct from old.place) then
    perform turnseal.refuse_graph('field-fixed', old.id);
  end if;
  if tg_op = 'DELETE' then new := old; end if;
  is_part := new.type in ('step', 'segment');
  select * into holder from turnseal.graph_node
   where tenant = new.tenant and run = new.run and id = new.owner;
  if is_part <> (holder.id is not null) or (is_part and holder.type
     <> case new.type when 'step' then 'plan' else 'trace' end) then
    perform turnseal.refuse_graph('node-unknown', coalesce(new.owner, new.id));
  end if;
  if is_part and turnseal.is_final(holder.type, holder.status) then
    perform turnseal.refuse_graph('finished', holder.id);
  end if;

  if tg_op = 'INSERT' then
    if not exists (
      select from turnseal.graph_transition
       where type = new.type and earlier = '' and later = new.status) then
      perform turnseal.refuse_graph('status-not-initial', new.id);
    end if;
    if new.version <> 1 then perform turnseal.refuse_graph('version-stale', new.id); end if;
    if new.type = 'step' and holder.status not in ('draft', 'in_progress') then
      perform turnseal.refuse_graph('plan-fixed', holder.id);
    end if;
    return new;
  end if;

  if tg_op = 'UPDATE' then
    if new.version <> old.version + 1 then
      perform turnseal.refuse_graph('version-stale', new.id);
    end if;
    if new.status <> old.status then
      perform turnseal.check_transition(old, new);
    else
      -- A plan that is carried out may grow, and says nothing else than before.
      if new.type = 'plan' and old.status <> 'draft'
         and (old.status <> 'in_progress' or new.object::text <> old.object::text) then
        perform turnseal.refuse_graph('plan-fixed', new.id);
      end if;
      if new.type = 'step' and holder.status <> 'draft'
         and not (holder.status = 'in_progress' and old.status = 'blocked') then
        perform turnseal.refuse_graph('plan-fixed', holder.id);
      end if;
    end if;
    return new;
  end if;

  if is_part and not exists (
    select from turnseal.graph_transition
     where type = old.type and earlier = '' and later = old.status) then
    perform turnseal.refuse_graph('finished', old.id);
  end if;
  if new.type = 'plan' and new.status <> 'draft' then
    perform turnseal.refuse_graph('plan-fixed', new.id);
  end if;
  if new.type = 'step' and holder.status <> 'draft' then
    perform turnseal.refuse_graph('plan-fixed', holder.id);
  end if;
  if exists (
    select from turnseal.graph_edge
     where tenant = old.tenant and run = old.run and target = old.id and kind <> 'CONTAINS') then
    perform turnseal.refuse_graph('referenced', old.id);
  end if;
  return old;
end $$;
create trigger graph_rules before insert or update or delete on turnseal.graph_node
  for each row execute function turnseal.check_graph_node();

create function turnseal.check_graph_edge() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  source turnseal.graph_node;
  target turnseal.graph_node;
  holder turnseal.graph_node;
begin
  if tg_op = 'UPDATE' then perform turnseal.refuse_graph('field-fixed', old.source); end if;
  if tg_op = 'DELETE' then
    if not exists (select from turnseal.graph where tenant = old.tenant and run = old.run) then
      return old;
    end if;
    new := old;
  end if;
  select * into source from turnseal.graph_node
   where tenant = new.tenant and run = new.run and id = new.source;
  select * into target from turnseal.graph_node
   where tenant = new.tenant and run = new.run and id = new.target;
  -- With one of its nodes an edge goes.
  if tg_op = 'DELETE' and (source.id is null or target.id is null) then return old; end if;
  if source.id is null or target.id is null then
    perform turnseal.refuse_graph('reference-unknown', new.target);
  end if;
  if turnseal.is_final(source.type, source.status) then
    perform turnseal.refuse_graph('finished', source.id);
  end if;

  if (case new.kind
    when 'HAS_CONTEXT' then target.type = 'context'
      and source.type in ('plan', 'collab', 'dialog', 'extension', 'network')
    when 'CONTAINS' then target.owner = source.id
    when 'DEPENDS_ON' then source.type = 'step' and target.type = 'step'
      and target.owner = source.owner
    when 'ASSIGNED_TO' then target.type = 'role'
      and source.type in ('step', 'collab', 'network')
    when 'TRACES' then source.type = 'trace' and target.type in ('context', 'plan')
    when 'CONFIRMS' then source.type = 'confirm'
      and target.type = source.object ->> 'target_type'
    when 'PART_OF' then source.type = 'segment' and target.type = 'segment'
      and target.owner = source.owner and target.place < source.place
    else false end) is not true then
    perform turnseal.refuse_graph('reference-unknown', new.target);
  end if;

  if new.kind in ('DEPENDS_ON', 'ASSIGNED_TO') and source.type = 'step' then
    select * into holder from turnseal.graph_node
     where tenant = new.tenant and run = new.run and id = source.owner;
    if holder.status <> 'draft' and not (holder.status = 'in_progress'
       and (source.status = 'blocked' or (source.version = 1 and source.status = 'pending'))) then
      perform turnseal.refuse_graph('plan-fixed', holder.id);
    end if;
  end if;
  if tg_op = 'INSERT' and new.kind = 'DEPENDS_ON' and (new.source = new.target or exists (
    with recursive needed (id) as (
      select new.target
      union
      select edge.target from turnseal.graph_edge as edge join needed on edge.source = needed.id
       where edge.tenant = new.tenant and edge.run = new.run and edge.kind = 'DEPENDS_ON')
    select from needed where id = new.source)) then
    perform turnseal.refuse_graph('cycle', new.target);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger graph_rules before insert or update or delete on turnseal.graph_edge
  for each row execute function turnseal.check_graph_edge();

`;
