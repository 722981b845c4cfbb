import type { GraphWrite } from "@turnseal/ports";
import type { Statement } from "../open-database.ts";
import { SPENT_ROWS } from "./append-spent.ts";
import { APPENDED_MORE, MORE_ANSWERED } from "./append-turn.ts";

/**
 * The same of a run whose graph is kept: its rows are written in the transaction that says what
 * they say. They are counted in the answer, because what nobody asks for is not executed.
 */
export const appendGraphStatement: Statement = {
  name: "append-graph",
  reach: "run",
  text: `
    with ${APPENDED_MORE},${SPENT_ROWS},
    graph as materialized (
      select turnseal.write_graph($1, $2::uuid, $30::bigint, $6::bigint, $31::json) as is_written
        from head)
    ${MORE_ANSWERED},
           (select bool_and(is_written) from graph) as is_graph_written`,
};

/** The values of the rows of a graph, after those of what is counted. */
export function renderGraph({ from, changes }: GraphWrite): unknown[] {
  return [from, JSON.stringify(changes)];
}
