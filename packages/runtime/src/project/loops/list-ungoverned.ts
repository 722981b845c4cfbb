/** The effects of a call outside a run: it has no grant and no record. */
import type { BoundTools } from "@turnseal/kernel";
import type { Effect } from "@turnseal/protocol";
import type { Target } from "./find-target.ts";
import { listReachable } from "./list-reachable.ts";

export interface UngovernedTool {
  readonly id: string;
  readonly effect: Effect;
}

/**
 * The tools with an effect that the target may call. A tool without a declared effect counts as
 * acting once, as in a run.
 */
export function listUngoverned(target: Target, tools: BoundTools): UngovernedTool[] {
  return listReachable(target).flatMap(({ definition: { id, version, tool } }) => {
    const effect = tool && tools.find(tool.implementation, version)?.effect;
    return effect === undefined || effect === "read" ? [] : [{ id, effect }];
  });
}
