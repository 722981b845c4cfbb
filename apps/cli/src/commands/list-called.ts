import type { CheckedLoop } from "@turnseal/kernel";
import type { LoopReference } from "@turnseal/protocol";

/** The loops that a loop may call itself: its steps, and the tools that its prompt offers. */
export function listCalled({ steps, definition }: CheckedLoop): LoopReference[] {
  const references = steps.map(({ loopId, loopVersion }) =>
    loopVersion === undefined ? { loopId } : { loopId, loopVersion },
  );
  return [...references, ...(definition.prompt?.tools ?? [])];
}
