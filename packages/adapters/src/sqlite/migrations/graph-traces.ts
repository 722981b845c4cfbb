/** Checks that a trace's target has the type that its field says: a plan is no context. */
export const graphTraces = `
  create trigger graph_edge_traces before insert on graph_edge when new.kind = 'TRACES' begin
    select raise(abort, 'reference-unknown')
     where not exists (
       select 1 from graph_node as source join graph_node as target
           on target.run_number = source.run_number and target.id = new.target
        where source.run_number = new.run_number and source.id = new.source
          and source.object ->> ('$.' || target.type || '_id') = target.id);
  end;
`;
