/** What a call outside a run would do to the world: nobody grants it, and nothing records it. */
import type { Effect } from "@turnseal/protocol";
import { listLoops, listReachable, type Target } from "@turnseal/runtime/project";

export interface UngovernedTool {
  readonly id: string;
  readonly effect: Effect;
}

/** The tools that can come to be called and declare that they change something. */
export function listUngoverned(target: Target): UngovernedTool[] {
  const reachable = new Set(listReachable(target).map(({ definition }) => nameOf(definition)));
  return listLoops(target).flatMap(({ definition, declared }) => {
    const effect = declared?.effect;
    const acts = effect !== undefined && effect !== "read";
    if (!acts || !reachable.has(nameOf(definition))) return [];
    return [{ id: definition.id, effect }];
  });
}

function nameOf({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id} ${version}`;
}
