/** The body of a composite loop that is a flow (spec/flow.md). */

import { placeBelow } from "@turnseal/folds";
import { invariant, type JsonValue } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";
import type { CallChild } from "./call-child.ts";
import { countRuns } from "./nodes/count-runs.ts";
import { type FlowParts, type NodePlace, outputOf } from "./nodes/node.ts";
import { mapKnown, withKnown } from "./nodes/read-known.ts";
import { runNode } from "./nodes/run-node.ts";

/** Runs the flow and answers with the composite's output, not validated yet. */
export async function runFlow(
  loop: CheckedLoop,
  input: JsonValue,
  { frame, world, callChild }: { frame: Frame; world: World; callChild: CallChild },
): Promise<Outcome<JsonValue>> {
  const { flow, outputMapping } = loop;
  invariant(flow !== undefined, "a flow has a node");
  const parts: FlowParts = {
    ...{ loop, world, callChild },
    run: async (node, at) => countRuns(at, 1) ?? parts.runCounted(node, at),
    runCounted: (node, at) => runNode(node, at, parts),
  };
  const place: NodePlace = {
    frame,
    path: "/flow",
    place: placeBelow(frame.place, "flow"),
    known: { input },
    absent: [],
    blocked: new Set(),
    runs: { count: 0 },
  };
  const outcome = await parts.run(flow, place);
  if (outcome.kind === "error" || outcome.kind === "paused") return outcome;
  if (outputMapping === undefined) return succeed(outputOf(outcome));
  // The output mapping of the whole comes after the flow: it can read the results of its nodes.
  const ended = outcome.kind === "ok" ? { ...place, ...outcome.ended } : place;
  const { name } = flow;
  if (name === undefined) return mapKnown(outputMapping, ended, "the output");
  const known =
    outcome.kind === "ok"
      ? withKnown(ended, { [name]: outcome.result })
      : withKnown(ended, {}, [name]);
  return mapKnown(outputMapping, known, "the output");
}
