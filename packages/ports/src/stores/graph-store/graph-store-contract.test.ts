import type { GraphNodeRow } from "@turnseal/protocol/graph";
import { expect, test } from "vitest";
import { findMissed } from "../../find-missed.test.data.ts";
import { memorySubject } from "../memory-subject.test.data.ts";
import type { Stores } from "../stores.ts";
import type { StoresSubject } from "../stores-subject.ts";
import type { GraphStore } from "./graph-store.ts";
import { graphStoreContract } from "./graph-store-contract.ts";

for (const { name, run } of graphStoreContract({ create: () => memorySubject() })) test(name, run);

const withGraphs = (change: (graphs: GraphStore, stores: Stores) => Partial<GraphStore>) => () =>
  memorySubject((stores) => {
    const { graphs } = stores;
    if (graphs === undefined) throw new Error("the memory keeps graphs");
    return { graphs: { ...graphs, ...change(graphs, stores) } };
  });

/** A store that writes the rows before it looks whether the append can be made. */
const eager = (): StoresSubject =>
  memorySubject(({ log, graphs }) => ({
    log: {
      ...log,
      append: async (append) => {
        const head = await log.readHead(append.run);
        const sequence = head?.sequence ?? 0;
        if (append.graph?.from === 0 && sequence > 0)
          await graphs?.rewrite(append.run, { sequence, changes: append.graph.changes });
        return log.append(append);
      },
    },
  }));

const broken: Readonly<Record<string, () => StoresSubject>> = {
  "the rows of a graph are there with their append, and stand where it ends": withGraphs(() => ({
    readSequence: async () => undefined,
  })),
  "an append that is not made leaves the rows of its graph": eager,
  "rows that do not fit throw, and leave nothing of their append": () =>
    memorySubject(({ log }) => ({
      log: {
        ...log,
        append: async (append) => log.append(append).catch(() => log.append(without(append))),
      },
    })),
  "an append without a graph leaves the rows behind the log": withGraphs((_, { log }) => ({
    readSequence: async (run) => (await log.readHead(run))?.sequence,
  })),
  "a graph is written anew at the event where the log stands, and nowhere else": withGraphs(
    (graphs, { log }) => ({
      rewrite: async (run, rows) => {
        const sequence = (await log.readHead(run))?.sequence ?? 0;
        return graphs.rewrite(run, { ...rows, sequence });
      },
    }),
  ),
  "a graph that is dropped is gone, and the log stays": withGraphs(() => ({
    drop: async () => {},
  })),
  "an erasure leaves the graph": () =>
    memorySubject(({ blobs, graphs }) => ({
      blobs: {
        ...blobs,
        erase: async (run) => {
          await graphs?.drop(run);
          await blobs.erase(run);
        },
      },
    })),
  "rows are listed in their order, at most GRAPH_ROWS_MAX after one": withGraphs((graphs) => ({
    listNodes: async (run, after) => {
      const page: GraphNodeRow[] = [...(await graphs.listNodes(run, after))];
      return after === undefined ? page.toReversed() : page;
    },
  })),
};

function without<Value extends { readonly graph?: unknown }>({ graph: _, ...rest }: Value) {
  return rest;
}

test("every sentence finds a store that does not keep it", async () => {
  expect(await findMissed(graphStoreContract, broken)).toEqual([]);
});
