import {
  type KeptCalls,
  type PinnedLoop,
  type PinnedReferences,
  type Refinements,
  referenceName,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { keptCallsOf } from "../definition/kept-calls.ts";
import { listNodeCaches } from "./list-node-caches.ts";
import { listPinned } from "./list-references.ts";
import type { Registry } from "./registry.ts";

/**
 * Resolves all references that a loop can reach, as of now: a run keeps the versions of its start.
 */
export function pinReferences(
  registry: Pick<Registry, "resolve">,
  root: CheckedLoop,
): PinnedReferences {
  const { id, version } = root.definition;
  const pinned: Record<string, PinnedLoop> = {
    [referenceName(id, version)]: pinLoop(root),
  };
  const queue = [root];
  const cached = new Map<string, KeptCalls>();
  for (const loop of queue) {
    for (const { name, strategy } of listNodeCaches(loop.definition)) cached.set(name, strategy);
    for (const { loopId, loopVersion } of listPinned(loop)) {
      const name = referenceName(loopId, loopVersion);
      const target = Object.hasOwn(pinned, name)
        ? undefined
        : registry.resolve(loopId, loopVersion);
      if (target === undefined) continue;
      pinned[name] = pinLoop(target);
      queue.push(target);
    }
  }
  for (const [name, cache] of cached) {
    const pin = Object.hasOwn(pinned, name) ? pinned[name] : undefined;
    if (pin !== undefined) pinned[name] = { cache, ...pin };
  }
  return pinned;
}

function pinLoop(loop: CheckedLoop): PinnedLoop {
  const { definition, digest } = loop;
  const { id, version } = definition;
  const refined = listRefined(loop);
  const cache = keptCallsOf(definition);
  return {
    ...{ id, version, digest },
    ...(refined.length === 0 ? {} : { refined }),
    ...(cache === undefined ? {} : { cache }),
  };
}

/** The sides of a loop that refinements are bound to. */
export function listRefined({ refinedBy }: CheckedLoop): (keyof Refinements)[] {
  const sides = ["input", "output"] as const;
  return sides.filter((side) => refinedBy.some(({ [side]: bound }) => bound !== undefined));
}
