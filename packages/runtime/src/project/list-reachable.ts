import type { CheckedLoop } from "@turnseal/kernel";
import type { Target } from "./find-target.ts";
import { listCalled } from "./list-called.ts";

/** The loop to call and every loop that it can come to call. */
export function listReachable({ id, version, loaded }: Target): CheckedLoop[] {
  const reached = new Set<CheckedLoop>();
  const start = loaded.registry.resolve(id, version);
  const waiting = start === undefined ? [] : [start];
  for (let loop = waiting.pop(); loop !== undefined; loop = waiting.pop()) {
    if (reached.has(loop)) continue;
    reached.add(loop);
    for (const called of listCalled(loop)) {
      const next = loaded.registry.resolve(called.loopId, called.loopVersion);
      if (next !== undefined) waiting.push(next);
    }
  }
  return [...reached];
}
