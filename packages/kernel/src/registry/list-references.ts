import type { FlowNode, LoopReference, PromptSpec } from "@turnseal/protocol";
import { UNDO_SUFFIX } from "@turnseal/protocol/authoring";
import { GROUP_REST, GROUP_REST_VERSION } from "@turnseal/protocol/receipts";
import { SUMMARIZER_REFERENCE } from "../definition/built-in-summarizer.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listNodeReferences, listNodes } from "../definition/flow/list-nodes.ts";

/** A reference, and where in the document it stands. */
export interface PlacedReference extends LoopReference {
  readonly path: string;
}

/**
 * Lists the loops that a loop may call: its steps or those of its flow, the tools of its prompt,
 * its filters, and its summarizer.
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

/**
 * Lists these references, and those that groups of a flow add: compensations of their members, and
 * the question to people when an effect is left.
 */
export function listPinned(loop: CheckedLoop): LoopReference[] {
  const { flow } = loop.definition.composite ?? {};
  const groups = flow === undefined ? [] : listNodes(flow).flatMap(({ node }) => membersOf(node));
  const rest = { loopId: GROUP_REST, loopVersion: GROUP_REST_VERSION };
  return [...listReferences(loop), ...groups.map(nameUndo), ...(groups.length === 0 ? [] : [rest])];
}

function membersOf(node: FlowNode): readonly LoopReference[] {
  if (node.kind !== "sequence" || node.group !== true) return [];
  return node.nodes.filter((member) => member.kind === "call");
}

/** The loop that takes back what a tool did, by the convention of its name. */
export function nameUndo({ loopId, loopVersion }: LoopReference): LoopReference {
  const undo = `${loopId}${UNDO_SUFFIX}`;
  return loopVersion === undefined ? { loopId: undo } : { loopId: undo, loopVersion };
}

/** Names the summarizer of a prompt, if it wants one. */
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
