import type { CheckedLoop } from "@turnseal/kernel";
import type { LoopReference } from "@turnseal/protocol";

/**
 * The loops that a loop may call itself: its steps, the tools that its prompt offers, its filters.
 */
export function listCalled(loop: CheckedLoop): LoopReference[] {
  const references = loop.steps.map(({ loopId, loopVersion }) =>
    loopVersion === undefined ? { loopId } : { loopId, loopVersion },
  );
  return [...references, ...(loop.definition.prompt?.tools ?? []), ...listFilters(loop)];
}

/** The loops that look at what a prompt is asked and what it answers. */
export function listFilters({ definition: { policy } }: CheckedLoop): LoopReference[] {
  return [...(policy?.inputFilters ?? []), ...(policy?.outputFilters ?? [])];
}
