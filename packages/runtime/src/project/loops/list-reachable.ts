import type { CheckedLoop } from "@turnseal/kernel";
import { HANDOFF_TOOL, type LoopReference } from "@turnseal/protocol";
import type { Target } from "./find-target.ts";
import { listCalled } from "./list-called.ts";

/** The loop to call and every loop that it can come to call. */
export function listReachable(target: Target): CheckedLoop[] {
  return follow(target, listCalled);
}

/** Those, and every loop that they can hand off to: all that a host of the loop needs. */
export function listInvolved(target: Target): CheckedLoop[] {
  return follow(target, (loop) => [...listCalled(loop), ...listHandedTo(loop)]);
}

function follow(
  { id, version, loaded }: Target,
  listNext: (loop: CheckedLoop) => readonly LoopReference[],
): CheckedLoop[] {
  const reached = new Set<CheckedLoop>();
  const start = loaded.registry.resolve(id, version);
  const waiting = start === undefined ? [] : [start];
  for (let loop = waiting.pop(); loop !== undefined; loop = waiting.pop()) {
    if (reached.has(loop)) continue;
    reached.add(loop);
    for (const called of listNext(loop)) {
      const next = loaded.registry.resolve(called.loopId, called.loopVersion);
      if (next !== undefined) waiting.push(next);
    }
  }
  return [...reached];
}

function listHandedTo({ definition: { tool } }: CheckedLoop): LoopReference[] {
  const { loop: loopId, version: loopVersion } = tool?.config ?? {};
  if (tool?.implementation !== HANDOFF_TOOL || typeof loopId !== "string") return [];
  return [typeof loopVersion === "string" ? { loopId, loopVersion } : { loopId }];
}
