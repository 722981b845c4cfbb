import type { CheckedNodeOf } from "../../definition/flow/checked-node.ts";
import {
  type FlowParts,
  give,
  type NodeOutcome,
  type NodePlace,
  outputOf,
  placeInside,
} from "./node.ts";
import { readCondition } from "./read-known.ts";

/** The first case whose condition holds, or what there is else. */
export async function runBranch(
  { cases, otherCase }: CheckedNodeOf<"branch">,
  place: NodePlace,
  { run }: FlowParts,
): Promise<NodeOutcome> {
  let [taken, segment] = [otherCase, "/else"];
  for (const [index, { when, do: body }] of cases.entries()) {
    const holds = readCondition(when, place, `${place.path}/cases/${index}`);
    if (holds.kind !== "ok") return holds;
    if (!holds.value) continue;
    [taken, segment] = [body, `/cases/${index}`];
    break;
  }
  if (taken === undefined) return give(null);
  const outcome = await run(taken, placeInside(place, segment));
  if (outcome.kind === "error" || outcome.kind === "paused") return outcome;
  return give(outputOf(outcome));
}
