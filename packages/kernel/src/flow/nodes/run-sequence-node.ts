/** One node after the other; each knows what those before it gave. */
import { copyJson, type JsonValue } from "@turnseal/protocol";
import type { CheckedNodeOf } from "../../definition/flow/checked-node.ts";
import { formatProblem } from "../../definition/format-problem.ts";
import { OUTPUT_BYTES_MAX } from "../../limits.ts";
import { fail } from "../../outcome.ts";
import {
  type FlowParts,
  type Gave,
  give,
  type NodeOutcome,
  type NodePlace,
  placeInside,
  type Skipped,
} from "./node.ts";
import { mapKnown, withKnown } from "./read-known.ts";
import { runGroup } from "./run-group.ts";

export async function runSequenceNode(
  { nodes, outputMapping, members }: CheckedNodeOf<"sequence">,
  place: NodePlace,
  parts: FlowParts,
): Promise<NodeOutcome> {
  const group = members === undefined ? undefined : await runGroup(members, place, parts);
  if (group !== undefined && group.kind !== "ok") return group;
  let at = place;
  let last: JsonValue = null;
  for (const [index, node] of nodes.entries()) {
    const outcome =
      group?.value[index] ?? (await parts.run(node, placeInside(at, `/nodes/${index}`)));
    if (outcome.kind === "error" || outcome.kind === "paused") return outcome;
    if (outcome.kind === "ok") last = outcome.value;
    if (node.name !== undefined) at = learn(at, node.name, outcome);
  }
  const { known, absent } = at;
  const ended = { known, absent };
  if (outputMapping === undefined) return { ...give(last), ended };
  const mapped = mapKnown(outputMapping, at, `the output of ${place.path}`);
  if (mapped.kind !== "ok") return mapped;
  // A part that two fields share is written twice, so repeated copies could double without end.
  const copied = copyJson(mapped.value, OUTPUT_BYTES_MAX);
  if (copied.kind === "refused") {
    const message = `the output of ${place.path} is no output: ${formatProblem(copied.reason)}`;
    return fail("OUTPUT_VALIDATION_FAILED", message);
  }
  return { ...give(copied.value), ended };
}

/** Adds the result of a named node to the known names. */
function learn(at: NodePlace, name: string, outcome: Gave | Skipped): NodePlace {
  if (outcome.kind === "ok") return withKnown(at, { [name]: outcome.result });
  const after = withKnown(at, {}, [name]);
  return outcome.isBlocked ? { ...after, blocked: new Set([...at.blocked, name]) } : after;
}
