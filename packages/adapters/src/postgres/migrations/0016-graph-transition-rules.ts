/** The rules for a new status of a node of a graph. */
export const graphTransitionRules = `
create function turnseal.refuse_graph(rule text, about uuid) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception using errcode = 'check_violation', message = rule || ': ' || about,
    constraint = rule;
end $$;

-- What has a last status stays as it is. A role has none.
create function turnseal.is_final(of_type text, of_status text) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select of_type <> 'role' and not exists (
    select from turnseal.graph_transition where type = of_type and earlier = of_status)
$$;

create function turnseal.check_transition(old turnseal.graph_node, new turnseal.graph_node)
returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  plan turnseal.graph_node;
  decision json;
begin
  if new.status = old.status or not exists (
    select from turnseal.graph_transition
     where type = new.type and earlier = old.status and later = new.status) then
    perform turnseal.refuse_graph('transition-unknown', new.id);
  end if;

  if new.type = 'confirm' and new.status in ('approved', 'rejected') then
    decision := new.object -> 'decisions' -> -1;
    if decision ->> 'status' is distinct from new.status
       or json_array_length(new.object -> 'decisions')
          <> 1 + coalesce(json_array_length(old.object -> 'decisions'), 0) then
      perform turnseal.refuse_graph('decision-given', new.id);
    end if;
    if new.status = 'approved' and not exists (
      select from turnseal.graph_node as role
       where role.tenant = new.tenant and role.run = new.run and role.type = 'role'
         and role.id::text = decision ->> 'decided_by_role'
         and (role.object -> 'capabilities')::jsonb ? 'confirm.approve') then
      perform turnseal.refuse_graph('decider-permitted', new.id);
    end if;
    if exists (
      select from turnseal.graph_edge as edge
        join turnseal.graph_node as target on target.tenant = edge.tenant
         and target.run = edge.run and target.id = edge.target
       where edge.tenant = new.tenant and edge.run = new.run and edge.source = new.id
         and edge.kind = 'CONFIRMS' and target.type = 'plan' and target.status <> 'proposed') then
      perform turnseal.refuse_graph('plan-proposed', new.id);
    end if;
  end if;

  if new.type = 'plan' and old.status = 'proposed' and not exists (
    select from turnseal.graph_edge as edge
      join turnseal.graph_node as source on source.tenant = edge.tenant
       and source.run = edge.run and source.id = edge.source
     where edge.tenant = new.tenant and edge.run = new.run and edge.target = new.id
       and edge.kind = 'CONFIRMS' and source.type = 'confirm'
       and source.status
         = case new.status when 'approved' then 'approved' else 'rejected' end) then
    perform turnseal.refuse_graph('confirm-decides', new.id);
  end if;

  plan := new;
  if new.type = 'step' then
    select * into plan from turnseal.graph_node
     where tenant = new.tenant and run = new.run and id = new.owner;
  end if;
  if new.type = 'step' and new.status = 'in_progress' and plan.status <> 'in_progress' then
    perform turnseal.refuse_graph('plan-in-progress', new.id);
  end if;
  if new.type in ('plan', 'step') and new.status = 'in_progress' and not exists (
    select from turnseal.graph_edge as edge
      join turnseal.graph_node as target on target.tenant = edge.tenant
       and target.run = edge.run and target.id = edge.target
     where edge.tenant = plan.tenant and edge.run = plan.run and edge.source = plan.id
       and edge.kind = 'HAS_CONTEXT' and target.status = 'active') then
    perform turnseal.refuse_graph('context-active', new.id);
  end if;
  if new.type = 'step' and (new.status in ('in_progress', 'blocked') or old.status = 'blocked') then
    perform turnseal.check_dependencies(new, old.status);
  end if;
  if new.type = 'plan' and new.status = 'completed' and exists (
    select from turnseal.graph_node
     where tenant = new.tenant and run = new.run and owner = new.id
       and status not in ('completed', 'skipped')) then
    perform turnseal.refuse_graph('steps-finished', new.id);
  end if;
  if new.type = 'plan' and new.status = 'failed' and not exists (
    select from turnseal.graph_node
     where tenant = new.tenant and run = new.run and owner = new.id and status = 'failed') then
    perform turnseal.refuse_graph('step-failed', new.id);
  end if;
end $$;

create function turnseal.check_dependencies(step turnseal.graph_node, was text)
returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  is_completed boolean;
  is_lost boolean;
begin
  select coalesce(bool_and(needed.status = 'completed'), true),
         coalesce(bool_or(needed.status in ('failed', 'blocked')), false)
    into is_completed, is_lost
    from turnseal.graph_edge as edge
    join turnseal.graph_node as needed on needed.tenant = edge.tenant
     and needed.run = edge.run and needed.id = edge.target
   where edge.tenant = step.tenant and edge.run = step.run and edge.source = step.id
     and edge.kind = 'DEPENDS_ON';
  if step.status = 'in_progress' and not is_completed then
    perform turnseal.refuse_graph('dependencies-completed', step.id);
  end if;
  if step.status = 'blocked' and not is_lost then
    perform turnseal.refuse_graph('dependency-failed', step.id);
  end if;
  if was = 'blocked' and is_lost then
    perform turnseal.refuse_graph('dependencies-resolved', step.id);
  end if;
end $$;

`;
