import { type PinnedReferences, referenceName } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listReferences } from "./list-references.ts";
import type { Registry } from "./registry.ts";

/**
 * Everything that can be reached from a loop, as it is resolved now: what a run is started with
 * stays what it runs.
 */
export function pinReferences(
  registry: Pick<Registry, "resolve">,
  root: CheckedLoop,
): PinnedReferences {
  const { id, version } = root.definition;
  const pinned: Record<string, PinnedReferences[string]> = {
    [referenceName(id, version)]: { id, version, digest: root.digest },
  };
  const queue = [root];
  for (const loop of queue) {
    for (const { loopId, loopVersion } of listReferences(loop)) {
      const name = referenceName(loopId, loopVersion);
      const target = Object.hasOwn(pinned, name)
        ? undefined
        : registry.resolve(loopId, loopVersion);
      if (target === undefined) continue;
      pinned[name] = { id: loopId, version: target.definition.version, digest: target.digest };
      queue.push(target);
    }
  }
  return pinned;
}
