/** The rules for adding, changing and removing a row of a graph. */
export const graphRules = `  create trigger graph_node_added before insert on graph_node begin
    select raise(abort, 'node-unknown')
     where (new.type in ('step', 'segment')) <> exists (
       select 1 from graph_node as holder
        where holder.run_number = new.run_number and holder.id = new.owner
          and holder.type = case new.type when 'step' then 'plan' when 'segment' then 'trace' end);
    select raise(abort, 'node-unknown')
     where new.owner is not null and new.type not in ('step', 'segment');
    select raise(abort, 'finished')
     where new.owner is not null and not exists (
       select 1 from graph_node as holder
         join graph_transition as next on next.type = holder.type and next.earlier = holder.status
        where holder.run_number = new.run_number and holder.id = new.owner);
    select raise(abort, 'status-not-initial')
     where not exists (
       select 1 from graph_transition
        where type = new.type and earlier = '' and later = new.status);
    select raise(abort, 'version-stale') where new.version <> 1;
    select raise(abort, 'plan-fixed')
     where new.type = 'step' and exists (
       select 1 from graph_node as holder
        where holder.run_number = new.run_number and holder.id = new.owner
          and holder.status not in ('draft', 'in_progress'));
  end;

  -- One trigger, so that rules are asked in one order.
  create trigger graph_node_changed before update on graph_node begin
    select raise(abort, 'finished')
     where old.type <> 'role' and not exists (
       select 1 from graph_transition where type = old.type and earlier = old.status);
    select raise(abort, 'finished')
     where old.owner is not null and not exists (
       select 1 from graph_node as holder
         join graph_transition as next on next.type = holder.type and next.earlier = holder.status
        where holder.run_number = old.run_number and holder.id = old.owner);
    select raise(abort, 'field-fixed')
     where new.run_number <> old.run_number or new.id <> old.id or new.type <> old.type
        or new.owner is not old.owner or new.place is not old.place;
    select raise(abort, 'version-stale') where new.version <> old.version + 1;
    select raise(abort, 'plan-fixed')
     where new.status = old.status and new.type = 'plan' and old.status <> 'draft'
       and (old.status <> 'in_progress' or new.object <> old.object);
    select raise(abort, 'plan-fixed')
     where new.status = old.status and new.type = 'step' and exists (
       select 1 from graph_node as holder
        where holder.run_number = new.run_number and holder.id = new.owner
          and holder.status <> 'draft'
          and not (holder.status = 'in_progress' and old.status = 'blocked'));
    select raise(abort, 'transition-unknown')
     where new.status <> old.status
       and not exists (
       select 1 from graph_transition
        where type = new.type and earlier = old.status and later = new.status);
    select raise(abort, 'decision-given')
     where new.type = 'confirm' and new.status <> old.status
       and new.status in ('approved', 'rejected')
       and ((new.object ->> '$.decisions[#-1].status') is not new.status
       or json_array_length(new.object, '$.decisions')
          <> 1 + coalesce(json_array_length(old.object, '$.decisions'), 0));
    select raise(abort, 'decider-permitted')
     where new.type = 'confirm' and new.status <> old.status
       and new.status in ('approved', 'rejected')
       and new.status = 'approved' and not exists (
       select 1 from graph_node as role, json_each(role.object, '$.capabilities') as capability
        where role.run_number = new.run_number and role.type = 'role'
          and role.id = new.object ->> '$.decisions[#-1].decided_by_role'
          and capability.value = 'confirm.approve');
    select raise(abort, 'plan-proposed')
     where new.type = 'confirm' and new.status <> old.status
       and new.status in ('approved', 'rejected')
       and exists (
       select 1 from graph_edge as edge
         join graph_node as target
           on target.run_number = edge.run_number and target.id = edge.target
        where edge.run_number = new.run_number and edge.source = new.id
          and edge.kind = 'CONFIRMS' and target.type = 'plan' and target.status <> 'proposed');
    select raise(abort, 'confirm-decides')
     where new.type = 'plan' and new.status <> old.status
       and old.status = 'proposed' and not exists (
       select 1 from graph_edge as edge
         join graph_node as source
           on source.run_number = edge.run_number and source.id = edge.source
        where edge.run_number = new.run_number and edge.target = new.id
          and edge.kind = 'CONFIRMS' and source.type = 'confirm'
          and source.status = case new.status when 'approved' then 'approved' else 'rejected' end);
    select raise(abort, 'context-active')
     where new.type = 'plan' and new.status <> old.status
       and new.status = 'in_progress' and not exists (
       select 1 from graph_edge as edge
         join graph_node as target
           on target.run_number = edge.run_number and target.id = edge.target
        where edge.run_number = new.run_number and edge.source = new.id
          and edge.kind = 'HAS_CONTEXT' and target.status = 'active');
    select raise(abort, 'steps-finished')
     where new.type = 'plan' and new.status <> old.status
       and new.status = 'completed' and exists (
       select 1 from graph_node as step
        where step.run_number = new.run_number and step.owner = new.id
          and step.status not in ('completed', 'skipped'));
    select raise(abort, 'step-failed')
     where new.type = 'plan' and new.status <> old.status
       and new.status = 'failed' and not exists (
       select 1 from graph_node as step
        where step.run_number = new.run_number and step.owner = new.id
          and step.status = 'failed');
    select raise(abort, 'plan-in-progress')
     where new.type = 'step' and new.status <> old.status
       and new.status = 'in_progress' and not exists (
       select 1 from graph_node as plan
        where plan.run_number = new.run_number and plan.id = new.owner
          and plan.status = 'in_progress');
    select raise(abort, 'context-active')
     where new.type = 'step' and new.status <> old.status
       and new.status = 'in_progress' and not exists (
       select 1 from graph_edge as edge
         join graph_node as target
           on target.run_number = edge.run_number and target.id = edge.target
        where edge.run_number = new.run_number and edge.source = new.owner
          and edge.kind = 'HAS_CONTEXT' and target.status = 'active');
    select raise(abort, 'dependencies-completed')
     where new.type = 'step' and new.status <> old.status
       and new.status = 'in_progress' and exists (
       select 1 from graph_edge as edge
         join graph_node as needed
           on needed.run_number = edge.run_number and needed.id = edge.target
        where edge.run_number = new.run_number and edge.source = new.id
          and edge.kind = 'DEPENDS_ON' and needed.status <> 'completed');
    select raise(abort, 'dependency-failed')
     where new.type = 'step' and new.status <> old.status
       and new.status = 'blocked' and not exists (
       select 1 from graph_edge as edge
         join graph_node as needed
           on needed.run_number = edge.run_number and needed.id = edge.target
        where edge.run_number = new.run_number and edge.source = new.id
          and edge.kind = 'DEPENDS_ON' and needed.status in ('failed', 'blocked'));
    select raise(abort, 'dependencies-resolved')
     where new.type = 'step' and new.status <> old.status
       and old.status = 'blocked' and exists (
       select 1 from graph_edge as edge
         join graph_node as needed
           on needed.run_number = edge.run_number and needed.id = edge.target
        where edge.run_number = new.run_number and edge.source = new.id
          and edge.kind = 'DEPENDS_ON' and needed.status in ('failed', 'blocked'));
  end;

  -- A graph that is dropped goes as a whole.
  create trigger graph_node_removed before delete on graph_node
  when exists (select 1 from graph where run_number = old.run_number) begin
    select raise(abort, 'finished')
     where old.type <> 'role' and not exists (
       select 1 from graph_transition where type = old.type and earlier = old.status);
    select raise(abort, 'finished')
     where old.owner is not null and not exists (
       select 1 from graph_node as holder
         join graph_transition as next on next.type = holder.type and next.earlier = holder.status
        where holder.run_number = old.run_number and holder.id = old.owner);
    select raise(abort, 'finished')
     where old.type in ('step', 'segment') and not exists (
       select 1 from graph_transition
        where type = old.type and earlier = '' and later = old.status);
    select raise(abort, 'plan-fixed') where old.type = 'plan' and old.status <> 'draft';
    select raise(abort, 'plan-fixed')
     where old.type = 'step' and exists (
       select 1 from graph_node as holder
        where holder.run_number = old.run_number and holder.id = old.owner
          and holder.status <> 'draft');
    select raise(abort, 'referenced')
     where exists (
       select 1 from graph_edge
        where run_number = old.run_number and target = old.id and kind <> 'CONTAINS');
  end;

  create trigger graph_edge_changed before update on graph_edge begin
    select raise(abort, 'field-fixed');
  end;

  create trigger graph_edge_added before insert on graph_edge begin
    select raise(abort, 'reference-unknown')
     where not exists (
       select 1 from graph_node as source join graph_node as target
           on target.run_number = source.run_number and target.id = new.target
        where source.run_number = new.run_number and source.id = new.source
          and case new.kind
            when 'HAS_CONTEXT' then target.type = 'context'
              and source.type in ('plan', 'collab', 'dialog', 'extension', 'network')
            when 'CONTAINS' then target.owner = source.id
            when 'DEPENDS_ON' then source.type = 'step' and target.type = 'step'
              and target.owner = source.owner
            when 'ASSIGNED_TO' then target.type = 'role'
              and source.type in ('step', 'collab', 'network')
            when 'TRACES' then source.type = 'trace' and target.type in ('context', 'plan')
            when 'CONFIRMS' then source.type = 'confirm'
              and target.type = source.object ->> '$.target_type'
            when 'PART_OF' then source.type = 'segment' and target.type = 'segment'
              and target.owner = source.owner and target.place < source.place
            else false end);
    select raise(abort, 'finished')
     where exists (
       select 1 from graph_node as source
        where source.run_number = new.run_number and source.id = new.source
          and source.type <> 'role' and not exists (
            select 1 from graph_transition
             where type = source.type and earlier = source.status));
    select raise(abort, 'plan-fixed')
     where new.kind in ('DEPENDS_ON', 'ASSIGNED_TO') and exists (
       select 1 from graph_node as source join graph_node as holder
           on holder.run_number = source.run_number and holder.id = source.owner
        where source.run_number = new.run_number and source.id = new.source
          and source.type = 'step' and holder.status <> 'draft'
          and not (holder.status = 'in_progress' and (source.status = 'blocked'
            or (source.version = 1 and source.status = 'pending'))));
    select raise(abort, 'cycle')
     where new.kind = 'DEPENDS_ON' and exists (
       with recursive needed (id) as (
         select new.target
         union
         select edge.target from needed join graph_edge as edge on edge.source = needed.id
          where edge.run_number = new.run_number and edge.kind = 'DEPENDS_ON')
       select 1 from needed where id = new.source);
  end;

  create trigger graph_edge_removed before delete on graph_edge
  when exists (select 1 from graph where run_number = old.run_number) and exists (
    select 1 from graph_node where run_number = old.run_number and id = old.source) and exists (
    select 1 from graph_node where run_number = old.run_number and id = old.target) begin
    select raise(abort, 'finished')
     where exists (
       select 1 from graph_node as source
        where source.run_number = old.run_number and source.id = old.source
          and source.type <> 'role' and not exists (
            select 1 from graph_transition
             where type = source.type and earlier = source.status));
    select raise(abort, 'plan-fixed')
     where old.kind in ('DEPENDS_ON', 'ASSIGNED_TO') and exists (
       select 1 from graph_node as source join graph_node as holder
           on holder.run_number = source.run_number and holder.id = source.owner
        where source.run_number = old.run_number and source.id = old.source
          and source.type = 'step' and holder.status <> 'draft'
          and not (holder.status = 'in_progress' and (source.status = 'blocked'
            or (source.version = 1 and source.status = 'pending'))));
  end;
`;
