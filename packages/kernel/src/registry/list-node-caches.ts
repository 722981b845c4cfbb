import { type KeptCalls, type LoopDef, referenceName } from "@turnseal/protocol";
import { listNodes } from "../definition/flow/list-nodes.ts";
import { keptAs } from "../definition/kept-calls.ts";

/** A cache that a node of a flow names for the loop that it calls. */
export interface NodeCache {
  /** Of the called loop, as it is pinned. */
  readonly name: string;
  readonly strategy: KeptCalls;
  /** Of the cache, in the document. */
  readonly path: string;
}

/** The caches that the nodes of a loop's flow name, in the order of the document. */
export function listNodeCaches({ composite }: Pick<LoopDef, "composite">): NodeCache[] {
  const nodes = composite?.flow === undefined ? [] : listNodes(composite.flow);
  return nodes.flatMap(({ node, path }) => {
    const strategy = node.kind === "call" ? keptAs(node.cache) : undefined;
    if (node.kind !== "call" || strategy === undefined) return [];
    const name = referenceName(node.loopId, node.loopVersion);
    return [{ name, strategy, path: `${path}/cache` }];
  });
}
