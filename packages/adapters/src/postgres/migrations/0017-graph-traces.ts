/** Checks that a trace's target has the type that its field says: a plan is no context. */
export const graphTraces = `
create function turnseal.check_graph_trace() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (
    select from turnseal.graph_node as source
      join turnseal.graph_node as target
        on target.tenant = source.tenant and target.run = source.run and target.id = new.target
     where source.tenant = new.tenant and source.run = new.run and source.id = new.source
       and source.object ->> (target.type || '_id') = target.id::text) then
    perform turnseal.refuse_graph('reference-unknown', new.target);
  end if;
  return new;
end $$;
create trigger graph_traces before insert on turnseal.graph_edge
  for each row when (new.kind = 'TRACES') execute function turnseal.check_graph_trace();
`;
