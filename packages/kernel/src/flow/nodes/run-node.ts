/**
 * A node of a flow: whether it runs, how often it is tried, and what becomes of its failure.
 *
 * 1. The record decides: a resume skips, retries and gives up as before.
 * 2. A failure that ends the tree around the flow is never retried, skipped or tolerated. The one
 *    exception is a compensation of a rollback that the budget, the grant or a rule refuses.
 */
import type { ContentOf } from "@turnseal/protocol";
import type { CheckedNode } from "../../definition/flow/checked-node.ts";
import { type Failed, fail, succeed } from "../../outcome.ts";
import { isSkippableUndo } from "../is-skippable-undo.ts";
import { endsFlow } from "../prepare-child.ts";
import { runFanOut } from "./fan-out/run-fan-out.ts";
import {
  type FlowParts,
  type NodeOutcome,
  type NodePlace,
  placeInside,
  type Skipped,
} from "./node.ts";
import { readCondition, withKnown } from "./read-known.ts";
import { runBranch } from "./run-branch.ts";
import { runCallNode } from "./run-call-node.ts";
import { runMachine } from "./run-machine.ts";
import { runRepeat } from "./run-repeat.ts";
import { runSequenceNode } from "./run-sequence-node.ts";
import { failureCodeOf, runTries } from "./run-tries.ts";
import { runWait } from "./run-wait.ts";
import { tellFailure } from "./tell-failure.ts";

/** Runs a node with all that its fields say. */
export async function runNode(
  node: CheckedNode,
  place: NodePlace,
  parts: FlowParts,
): Promise<NodeOutcome> {
  if ([...node.reads].some((name) => place.blocked.has(name)))
    return skip(place, { because: "blocked" });
  const wanted =
    node.when === undefined ? succeed(true) : readCondition(node.when, place, place.path);
  if (wanted.kind === "ok" && !wanted.value) return skip(place, { because: "condition" });
  const runOnce = (at: NodePlace): Promise<NodeOutcome> => runKind(node, at, parts);
  const outcome =
    wanted.kind === "ok" ? await runTries(node, place, { world: parts.world, runOnce }) : wanted;
  if (outcome.kind !== "error") return outcome;
  if (isSkippableUndo(node, outcome, parts.world)) return skipFailure(node, outcome, place);
  if (endsFlow(outcome, place.frame)) return outcome;
  const instead = await runOtherwise(node, { failed: outcome, place }, parts);
  if (instead.kind !== "error" || endsFlow(instead, place.frame)) return instead;
  return skipFailure(node, instead, place);
}

function runKind(node: CheckedNode, place: NodePlace, parts: FlowParts): Promise<NodeOutcome> {
  switch (node.kind) {
    case "call":
      return runCallNode(node, place, parts);
    case "sequence":
      return runSequenceNode(node, place, parts);
    case "parallel":
    case "forEach":
      return runFanOut(node, place, parts);
    case "branch":
      return runBranch(node, place, parts);
    case "repeat":
      return runRepeat(node, place, parts);
    case "machine":
      return runMachine(node, place, parts);
    case "wait":
      return runWait(node, place, parts);
  }
}

/** Runs the `otherwise` of a failed node; without one, the failure stays. */
async function runOtherwise(
  { otherwise }: CheckedNode,
  { failed, place }: { readonly failed: Failed; readonly place: NodePlace },
  parts: FlowParts,
): Promise<NodeOutcome> {
  if (otherwise === undefined) return failed;
  const inside = placeInside(place, "/otherwise");
  const instead = await parts.run(otherwise, withKnown(inside, { error: tellFailure(failed) }));
  // A skipped `otherwise` replaces nothing.
  return instead.kind === "skipped" ? failed : instead;
}

/** Applies the node's `onError` and `critical` to a failure. */
async function skipFailure(
  { onError, isCritical }: CheckedNode,
  failed: Failed,
  place: NodePlace,
): Promise<NodeOutcome> {
  if (onError === "continue")
    return { kind: "ok", value: null, result: { status: "error", error: tellFailure(failed) } };
  if (onError === "fail" && isCritical) return failed;
  return skip(place, { because: "failed", code: failureCodeOf(failed) }, !isCritical);
}

async function skip(
  { frame, path }: NodePlace,
  why: Omit<ContentOf<"step.skipped">, "path">,
  isBlocked = why.because === "blocked",
): Promise<Skipped | Failed> {
  if (frame.isTraceFull(path)) return fail("BUDGET_EXCEEDED", "the trace is full");
  await frame.catchUp(path);
  frame.record({ type: "step.skipped", content: { path, ...why } });
  return { kind: "skipped", isBlocked };
}
