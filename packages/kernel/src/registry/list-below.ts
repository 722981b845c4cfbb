import type { CheckedLoop } from "../definition/check-loop.ts";
import { listReferences } from "./list-references.ts";

export type Resolve = (id: string, version?: string) => CheckedLoop | undefined;

/** A loop and everything that it can call. */
export function listBelow(root: CheckedLoop, resolve: Resolve): CheckedLoop[] {
  const found = new Set([root]);
  for (const loop of found)
    for (const { loopId, loopVersion } of listReferences(loop)) {
      const target = resolve(loopId, loopVersion);
      if (target !== undefined) found.add(target);
    }
  return [...found];
}
