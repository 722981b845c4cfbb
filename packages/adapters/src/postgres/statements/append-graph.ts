import type { GraphWrite } from "@turnseal/protocol/graph";
import type { Statement } from "../open-database.ts";
import { SPENT_ROWS } from "./append-spent.ts";
import { APPENDED_MORE, MORE_ANSWERED } from "./append-turn.ts";

/**
 * The same for a run with a stored graph: its rows are written in the same transaction. The answer
 * counts them, because an unused part of a statement is not executed.
 */
export const appendGraphStatement: Statement = {
  name: "append-graph",
  reach: "run",
  text: `
    with ${APPENDED_MORE},${SPENT_ROWS},
    graph as materialized (
      select turnseal.write_graph($1, $2::uuid, $31::bigint, $6::bigint, $32::json) as is_written
        from head)
    ${MORE_ANSWERED},
           (select bool_and(is_written) from graph) as is_graph_written`,
};

/** The values of the rows of a graph, after those of what is counted. */
export function renderGraph({ from, changes }: GraphWrite): unknown[] {
  return [from, JSON.stringify(changes)];
}
