import type { Registry } from "@turnseal/kernel";
import { TURNS_MAX_DEFAULT } from "@turnseal/protocol";
import { computeBounds, listCalled, type Pricing } from "@turnseal/runtime/project";
import type { LoopBounds } from "@turnseal/terminal/loops";

/** The worst case of each loop that no other calls. */
export function listBounds(
  registry: Registry,
  pricing: Pricing | undefined,
  { turnsMax }: { readonly turnsMax?: number } = {},
): LoopBounds[] {
  const loops = registry.list();
  const called = new Set(loops.flatMap((loop) => listCalled(loop).map(({ loopId }) => loopId)));
  return loops
    .filter(({ definition }) => !called.has(definition.id))
    .map((loop) => ({
      loop,
      bounds: computeBounds(loop, registry, pricing),
      turnsMax: turnsMax ?? TURNS_MAX_DEFAULT,
      isDefaultTurns: turnsMax === undefined,
    }));
}
