/**
 * Refuses parallel parts of a flow that continue one thread (spec/context.md §1.5): branches that
 * reach the same thread, and items that reach one by its name.
 */
import type { FlowNode, Problem } from "@turnseal/protocol";
import {
  listBody,
  listNodes,
  type PlacedNode,
  referenceOf,
} from "../definition/flow/list-nodes.ts";
import { listThreads } from "./check-threads.ts";
import type { Resolve } from "./list-below.ts";

/** Finds problems with the threads of a flow. */
export function checkFlowThreads(flow: FlowNode, resolve: Resolve): Problem[] {
  return listNodes(flow).flatMap((placed) => {
    if (placed.node.kind === "parallel") return checkBranches(placed, resolve);
    return placed.node.kind === "forEach" ? checkItems(placed, placed.node, resolve) : [];
  });
}

function checkBranches({ node, path }: PlacedNode, resolve: Resolve): Problem[] {
  const seen = new Map<string, string>();
  return listBody(node, path).flatMap((branch) => {
    const named = listThreadsOf(branch, resolve).filter(isNamed);
    const shared = named.find((thread) => seen.has(thread));
    const first = shared === undefined ? undefined : seen.get(shared);
    for (const thread of named) if (!seen.has(thread)) seen.set(thread, branch.path);
    if (shared === undefined) return [];
    return [
      {
        rule: "thread-shared",
        path: branch.path,
        message: `the thread ${shared} is also that of ${first}, which runs beside it`,
        mend: "give one of them another thread, or run them one after the other",
      } as const,
    ];
  });
}

function checkItems(
  { path }: PlacedNode,
  node: Extract<FlowNode, { readonly kind: "forEach" }>,
  resolve: Resolve,
): Problem[] {
  // Items that share their places run in order; others have their own of those.
  if (node.scope === "shared") return [];
  const body = { node: node.body, path: `${path}/body` };
  const shared = listThreadsOf(body, resolve).find(isNamed);
  if (shared === undefined) return [];
  return [
    {
      rule: "thread-shared",
      path: body.path,
      message: `items run beside each other, and all would go on with the thread ${shared}`,
      mend: "give the prompt `thread: true`, or the items `scope: shared`: they run in order then",
    },
  ];
}

function listThreadsOf({ node, path }: PlacedNode, resolve: Resolve): string[] {
  const threads = listNodes(node, path).flatMap((placed) => {
    const { loopId, loopVersion } = referenceOf(placed) ?? {};
    const target = loopId === undefined ? undefined : resolve(loopId, loopVersion);
    return target === undefined ? [] : listThreads(target, resolve);
  });
  return [...new Set(threads)];
}

/** A thread that belongs to a place has no name of its own. */
function isNamed(thread: string): boolean {
  return !thread.startsWith("/");
}
