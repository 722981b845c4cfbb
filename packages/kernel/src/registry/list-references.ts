import type { LoopReference } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";

/** A reference, and where in the document it stands. */
export interface PlacedReference extends LoopReference {
  readonly path: string;
}

/** The loops that a loop may call: its steps, the tools that its prompt offers, its filters. */
export function listReferences({ definition }: CheckedLoop): PlacedReference[] {
  const { composite, prompt, policy } = definition;
  return [
    ...place(composite?.steps ?? [], "/composite/steps"),
    ...place(prompt?.tools ?? [], "/prompt/tools"),
    ...place(policy?.inputFilters ?? [], "/policy/inputFilters"),
    ...place(policy?.outputFilters ?? [], "/policy/outputFilters"),
  ];
}

function place(references: readonly LoopReference[], path: string): PlacedReference[] {
  return references.map(({ loopId, loopVersion }, index) => ({
    loopId,
    ...(loopVersion === undefined ? {} : { loopVersion }),
    path: `${path}/${index}/loopId`,
  }));
}
