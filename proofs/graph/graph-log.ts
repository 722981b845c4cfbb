/** One run in all stores: what is appended to one is appended to each, with the same rows. */

import { canonicalize, EMPTY_HEAD, type Head, type LoopEvent } from "@turnseal/protocol";
import type {
  GraphEdgeRow,
  GraphNodeRow,
  GraphRowChange,
  GraphWrite,
} from "@turnseal/protocol/graph";
import type { GraphStores } from "./open-stores.ts";

export interface GraphLog {
  readonly run: string;
  readonly stores: GraphStores;
  /** True where it was appended; false where the store has refused the rows. */
  append(event: LoopEvent, graph: GraphWrite): Promise<boolean>;
  /** The same of rows that nobody has checked: they should be refused. */
  force(event: LoopEvent, graph: GraphWrite): Promise<boolean>;
  /** All rows, as one text. */
  read(): Promise<string>;
  /** Drops the rows, writes them again, and returns them. */
  rewrite(changes: readonly GraphRowChange[]): Promise<string>;
}

export async function openGraphLog(stores: GraphStores, run: string): Promise<GraphLog> {
  const { epoch } = await stores.log.takeEpoch(run);
  let head: Head = EMPTY_HEAD;
  const read = () => readRows(stores, run);
  const append: GraphLog["append"] = async (event, graph) => {
    const carried = { run, epoch, after: head, events: [event], blobs: [], consumed: [], graph };
    try {
      const { kind } = await stores.log.append(carried);
      if (kind !== "appended") throw new Error(`an append was answered ${kind}`);
      head = event;
      return true;
    } catch (error) {
      if (error instanceof Error && /refused a statement|INVARIANT/.test(described(error)))
        return false;
      throw error;
    }
  };
  return {
    ...{ run, stores, read, append },
    force: (event, graph) => stores.writeUnchecked?.(run, graph) ?? append(event, graph),
    rewrite: async (changes) => {
      await stores.graphs.drop(run);
      const answer = await stores.graphs.rewrite(run, { sequence: head.sequence, changes });
      if (answer !== "rewritten") throw new Error(`a rewrite was answered ${answer}`);
      return read();
    },
  };
}

function described(error: Error): string {
  return `${"code" in error ? String(error.code) : ""} ${error.message}`;
}

/** All rows of a run, as one text. */
export async function readRows(
  { graphs }: Pick<GraphStores, "graphs">,
  run: string,
): Promise<string> {
  const nodes: GraphNodeRow[] = [];
  const edges: GraphEdgeRow[] = [];
  for (let page = await graphs.listNodes(run); page.length > 0; ) {
    nodes.push(...page);
    page = await graphs.listNodes(run, nodes.at(-1)?.id);
  }
  for (let page = await graphs.listEdges(run); page.length > 0; ) {
    edges.push(...page);
    page = await graphs.listEdges(run, edges.at(-1));
  }
  return canonicalize({ nodes, edges } as never);
}
