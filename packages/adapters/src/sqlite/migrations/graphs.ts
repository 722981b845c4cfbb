import { graphRules } from "./graph-rules.ts";
import { graphTables } from "./graph-tables.ts";

/**
 * The graphs of runs, as rows beside their logs (specification, graph.md). A graph is dropped by
 * its first row, which takes the others with it, and is written again from the log.
 *
 * The triggers repeat the rules of a graph for every writer of a row. Each looks at one row, so
 * that changes come one after another; a refusal names its rule. Which status follows which is
 * data. The rows hold no content.
 */
export const graphs = `${graphTables}${graphRules}`;
