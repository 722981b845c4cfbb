/**
 * Tries of a node (spec/flow.md): by code, never by words, and each at a path of its own.
 *
 * 1. A try is recorded when it begins. The pause before a recorded try is not repeated.
 * 2. A fan-out repeats only the items that did not succeed. Its open items end before another try
 *    follows.
 * 3. A node is not tried again after a withdrawn effect with an unknown end.
 */
import type { CallErrorCode } from "@turnseal/protocol";
import type { CheckedNode } from "../../definition/flow/checked-node.ts";
import { type Failed, fail } from "../../outcome.ts";
import type { Frame } from "../../resume/frame.ts";
import type { World } from "../../world.ts";
import { endsFlow } from "../prepare-child.ts";
import { decideDelay } from "./decide-delay.ts";
import type { FlowParts, NodeOutcome, NodePlace, NodeTries } from "./node.ts";

/** Tries a node as often as it says. */
export async function runTries(
  node: CheckedNode,
  place: NodePlace,
  { world, runOnce }: Pick<FlowParts, "world"> & { readonly runOnce: RunOnce },
): Promise<NodeOutcome> {
  const { frame, path } = place;
  const { retry } = node;
  const kept: NodeTries["kept"] = new Map();
  for (let attempt = 1; ; attempt++) {
    const isTriedAgain = (code: CallErrorCode): boolean =>
      retry !== undefined && attempt < retry.max && retry.on.has(code);
    const at = { ...placeTry(place, attempt), tries: { isTriedAgain, kept } };
    const outcome = await runOnce(limitTime(node, at));
    if (outcome.kind !== "error" || endsFlow(outcome, frame)) return outcome;
    const code = failureCodeOf(outcome);
    if (retry === undefined || !isTriedAgain(code)) return outcome;
    // An effect that may have happened would happen twice.
    if (hasUnknownEffect(world, at)) return outcome;

    const next = attempt + 1;
    const delayMs = decideDelay(retry, { call: frame.call, path, attempt: next });
    const paused = await world.effects.journal.waitUntil(frame, frame.wallMs() + delayMs);
    if (paused !== undefined) return paused;
    if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");
    if (frame.isTraceFull(path)) return fail("BUDGET_EXCEEDED", "the trace is full");
    await frame.catchUp(path);
    frame.record({ type: "step.retried", content: { path, attempt: next, delayMs, code } });
  }
}

function hasUnknownEffect(world: World, { frame, path }: NodePlace): boolean {
  return world.kind === "run" && world.effects.journal.hasUnknownEffect(frame, path);
}

type RunOnce = (place: NodePlace) => Promise<NodeOutcome>;

/** Each try makes new calls; threads and notes are the same in all of them. */
function placeTry(place: NodePlace, attempt: number): NodePlace {
  return attempt === 1 ? place : { ...place, path: `${place.path}/tries/${attempt}` };
}

/**
 * Each try has the node's full time. For an item without an event yet, the time begins with its
 * first event: waiting in line does not count.
 */
function limitTime({ timeoutMs }: CheckedNode, place: NodePlace): NodePlace {
  if (timeoutMs === undefined) return place;
  const { frame } = place;
  const { log } = frame.recorder;
  // Outside a run, no item waits in line.
  const hasBegun = log === undefined || log.beganMs() !== undefined;
  const startMs = hasBegun ? frame.lastMs() : undefined;
  const limited: Frame = {
    ...frame,
    get deadlineAt() {
      const sinceMs = startMs ?? log?.beganMs() ?? Number.POSITIVE_INFINITY;
      return Math.min(frame.deadlineAt, sinceMs + timeoutMs);
    },
  };
  return { ...place, frame: limited };
}

/** The code that a flow goes by: of a child that failed, the child's own. */
export function failureCodeOf({ error }: Failed): CallErrorCode {
  return error.details.step?.code ?? error.code;
}
