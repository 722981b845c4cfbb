/** What a call outside a run would do to the world: nobody grants it, and nothing records it. */
import type { BoundTools } from "@turnseal/kernel";
import type { Effect } from "@turnseal/protocol";
import type { Target } from "./find-target.ts";
import { listReachable } from "./list-reachable.ts";

export interface UngovernedTool {
  readonly id: string;
  readonly effect: Effect;
}

/**
 * The tools that can come to be called and change something. A tool that declares no effect is
 * taken for one that acts once, as in a run.
 */
export function listUngoverned(target: Target, tools: BoundTools): UngovernedTool[] {
  return listReachable(target).flatMap(({ definition: { id, version, tool } }) => {
    const effect = tool && tools.find(tool.implementation, version)?.effect;
    return effect === undefined || effect === "read" ? [] : [{ id, effect }];
  });
}
