import { type CheckedLoop, listNodeReferences } from "@turnseal/kernel";
import type { LoopReference } from "@turnseal/protocol";

/**
 * The loops that a loop may call itself: its steps or those of its flow, the tools that its prompt
 * offers, its filters.
 */
export function listCalled(loop: CheckedLoop): LoopReference[] {
  const references = loop.steps.map(nameOf);
  const { flow } = loop.definition.composite ?? {};
  const nodes = flow === undefined ? [] : listNodeReferences(flow).map(nameOf);
  return [...references, ...nodes, ...(loop.definition.prompt?.tools ?? []), ...listFilters(loop)];
}

function nameOf({ loopId, loopVersion }: Named): LoopReference {
  return loopVersion === undefined ? { loopId } : { loopId, loopVersion };
}

interface Named {
  readonly loopId: string;
  readonly loopVersion?: string | undefined;
}

/** The filters of a prompt's input and output. */
export function listFilters({ definition: { policy } }: CheckedLoop): LoopReference[] {
  return [...(policy?.inputFilters ?? []), ...(policy?.outputFilters ?? [])];
}
