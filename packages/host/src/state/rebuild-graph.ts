import { keepGraph, keepsGraph } from "@turnseal/folds/graph";
import type { Stores } from "@turnseal/ports";
import { hashKept } from "./hash-kept.ts";
import { readEvents } from "./load-projection.ts";

export type RebuiltGraph =
  | {
      readonly kind: "rebuilt";
      /** The event that the rows stand at. */
      readonly sequence: number;
      readonly nodes: number;
      readonly stateHash: string;
      /** True if the dropped rows were the same. */
      readonly isSame: boolean;
    }
  /** The run cannot propose a plan, or its store keeps no graphs. */
  | { readonly kind: "not-kept" }
  /** The log grew meanwhile, or the run was archived. */
  | { readonly kind: "moved" };

/** Drops the rows of a run's graph, and rebuilds them from its log. */
export async function rebuildGraph(
  { log, graphs }: Pick<Stores, "log" | "graphs">,
  run: string,
): Promise<RebuiltGraph> {
  const [first] = await log.read(run, 1, 1);
  const isKept = first?.type === "run.started" && keepsGraph(first.content.spec);
  if (graphs === undefined || !isKept) return { kind: "not-kept" };
  const before = await hashKept(graphs, run);
  const keeper = keepGraph(run);
  let sequence = 0;
  for await (const event of readEvents(log, run, 1)) {
    keeper.follow(event);
    ({ sequence } = event);
  }
  const answer = await graphs.rewrite(run, { sequence, changes: keeper.write().changes });
  if (answer === "moved") return { kind: "moved" };
  const { count: nodes, hash: stateHash } = await hashKept(graphs, run);
  return { kind: "rebuilt", sequence, nodes, stateHash, isSame: before.hash === stateHash };
}
