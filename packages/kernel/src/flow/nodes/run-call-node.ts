/** A node that calls a loop: the same as a step of a composite, at the path of its node. */
import type { CheckedNodeOf } from "../../definition/flow/checked-node.ts";
import { failChild, prepareChild } from "../prepare-child.ts";
import { showPart } from "../show-output.ts";
import { createStepResult } from "../step-result.ts";
import type { FlowParts, NodeOutcome, NodePlace } from "./node.ts";
import { mapKnown } from "./read-known.ts";

export async function runCallNode(
  node: CheckedNodeOf<"call">,
  at: NodePlace,
  { world, callChild }: FlowParts,
): Promise<NodeOutcome> {
  const { frame, path, place } = at;
  const { loopId } = node;
  const [index, what] = [indexOf(path), path];
  const child = prepareChild(
    node,
    { index, what, path, place, map: (mapping, of) => mapKnown(mapping, at, of) },
    { frame, world },
  );
  if (child.kind !== "ok") return child;
  const { call, loop } = child.value;

  await frame.catchUp(call);
  frame.record({
    type: "child.started",
    content: { child: call, loop: loopId, step: index, path },
  });
  const { branch, recorder, deadlineAt } = frame;
  const outcome = await callChild({
    ...child.value,
    ...{ branch, recorder, deadlineAt, cache: node.cache },
  });
  if (outcome.kind === "paused") return outcome;
  await frame.catchUp(call);
  frame.record({ type: "child.completed", content: { child: call, status: outcome.kind } });

  if (outcome.kind === "error") return failChild(outcome, { loopId, index, what, frame });
  const { preview: most } = node;
  const value =
    most === undefined ? outcome.value : showPart(outcome.value, { loop, most }, { frame, world });
  const result = createStepResult({ call, loop, output: value }, undefined);
  return { kind: "ok", value, result };
}

const numbered = /\/(?:nodes|branches|cases|items)\/(\d+)(?:\/tries\/\d+)?$/;

/** The number of a node among its siblings; 0 for a single one. */
function indexOf(path: string): number {
  return Number(numbered.exec(path)?.[1] ?? 0);
}
