import { graphRowRules } from "./0016-graph-row-rules.ts";
import { graphTables } from "./0016-graph-tables.ts";
import { graphTransitionRules } from "./0016-graph-transition-rules.ts";

/**
 * The graphs of runs, as rows beside their logs. All of it follows from the logs: a graph is
 * dropped by its first row, which takes the others with it, and is written again. A program without
 * this migration leaves them behind the log, and later programs see that.
 *
 * 1. The rules of a graph hold for every writer of a row (specification, graph.md): each row is
 *    checked by itself, so that changes come one after another. A refusal names its rule.
 * 2. Which status follows which is data.
 * 3. The rows hold no content: words of people and models are blobs.
 */
const graphWriting = `
-- Writes what an append says, or everything anew, one row after another.
create function turnseal.write_graph(
  of_tenant text, of_run uuid, stands_at bigint, goes_to bigint, changes json)
returns boolean language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  change json;
begin
  if stands_at = 0 then
    delete from turnseal.graph where tenant = of_tenant and run = of_run;
    insert into turnseal.graph (tenant, run, sequence) values (of_tenant, of_run, goes_to);
  else
    update turnseal.graph set sequence = goes_to
     where tenant = of_tenant and run = of_run and sequence = stands_at;
    if not found then perform turnseal.refuse_graph('version-stale', of_run); end if;
  end if;
  for change in select value from json_array_elements(changes) loop
    case change ->> 'kind'
      when 'node' then
        change := change -> 'node';
        if change ->> 'version' = '1' then
          insert into turnseal.graph_node
            (tenant, run, id, type, status, version, owner, place, object)
          values (of_tenant, of_run, (change ->> 'id')::uuid, change ->> 'type',
                  change ->> 'status', 1, (change ->> 'owner')::uuid,
                  (change ->> 'place')::integer, change -> 'object');
        else
          update turnseal.graph_node
             set status = change ->> 'status', version = (change ->> 'version')::bigint,
                 object = change -> 'object'
           where tenant = of_tenant and run = of_run and id = (change ->> 'id')::uuid;
          if not found then
            perform turnseal.refuse_graph('node-unknown', (change ->> 'id')::uuid);
          end if;
        end if;
      when 'node-removed' then
        delete from turnseal.graph_node
         where tenant = of_tenant and run = of_run and id = (change ->> 'id')::uuid;
      when 'edge' then
        change := change -> 'edge';
        insert into turnseal.graph_edge (tenant, run, source, kind, target)
        values (of_tenant, of_run, (change ->> 'from')::uuid, change ->> 'kind',
                (change ->> 'to')::uuid);
      when 'edge-removed' then
        change := change -> 'edge';
        delete from turnseal.graph_edge
         where tenant = of_tenant and run = of_run and source = (change ->> 'from')::uuid
           and kind = change ->> 'kind' and target = (change ->> 'to')::uuid;
    end case;
  end loop;
  return true;
end $$;
revoke all on function turnseal.write_graph(text, uuid, bigint, bigint, json) from public;

-- An archived run is read from its archive, and so is what its log says.
create function turnseal.drop_archived_graph() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  delete from turnseal.graph where tenant = new.tenant and run = new.run;
  return null;
end $$;
create trigger graph_archived after update of period on turnseal.head
  for each row when (new.period = -1) execute function turnseal.drop_archived_graph();
`;

export const graphs = [graphTables, graphTransitionRules, graphRowRules, graphWriting].join("");
