import type { FlowNode, LoopReference, PromptSpec } from "@turnseal/protocol";
import { SUMMARIZER_REFERENCE } from "../definition/built-in-summarizer.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listNodeReferences } from "../definition/flow/list-nodes.ts";

/** A reference, and where in the document it stands. */
export interface PlacedReference extends LoopReference {
  readonly path: string;
}

/**
 * The loops that a loop may call: its steps or those of its flow, the tools that its prompt offers,
 * its filters, and who summarises for it.
 */
export function listReferences({ definition }: CheckedLoop): PlacedReference[] {
  const { composite, prompt, policy } = definition;
  return [
    ...place(composite?.steps ?? [], "/composite/steps"),
    ...placeNodes(composite?.flow),
    ...place(prompt?.tools ?? [], "/prompt/tools"),
    ...place(policy?.inputFilters ?? [], "/policy/inputFilters"),
    ...place(policy?.outputFilters ?? [], "/policy/outputFilters"),
    ...placeSummarizer(prompt),
  ];
}

/** Who summarises for a prompt, where it wants that. */
export function nameSummarizer(prompt: PromptSpec | undefined): LoopReference | undefined {
  if (prompt?.context?.strategy !== "summary") return undefined;
  return prompt.context.summarizer ?? SUMMARIZER_REFERENCE;
}

function placeSummarizer(prompt: PromptSpec | undefined): PlacedReference[] {
  const reference = nameSummarizer(prompt);
  if (reference === undefined) return [];
  const { loopId, loopVersion } = reference;
  const pinned = loopVersion === undefined ? {} : { loopVersion };
  return [{ loopId, ...pinned, path: `${SUMMARIZER_PATH}/loopId` }];
}

function placeNodes(flow: FlowNode | undefined): PlacedReference[] {
  if (flow === undefined) return [];
  return listNodeReferences(flow).map(({ isQuestion: _, path, ...reference }) => ({
    ...reference,
    path: `${path}/loopId`,
  }));
}

export const SUMMARIZER_PATH = "/prompt/context/summarizer";

function place(references: readonly LoopReference[], path: string): PlacedReference[] {
  return references.map(({ loopId, loopVersion }, index) => ({
    loopId,
    ...(loopVersion === undefined ? {} : { loopVersion }),
    path: `${path}/${index}/loopId`,
  }));
}
