/**
 * Tries of a node (spec/flow.md): by code, never by words, and each at a path of its own.
 *
 * 1. A try is recorded when it begins: one that is recorded was waited for when it was made.
 * 2. Of a fan-out only those are run again that did not succeed: what has begun in it is let end
 *    before another try follows.
 * 3. Nothing is tried again in which an effect was withdrawn whose end nobody knows.
 */
import type { CallErrorCode } from "@turnseal/protocol";
import type { CheckedNode } from "../../definition/flow/checked-node.ts";
import { type Failed, fail } from "../../outcome.ts";
import type { Frame } from "../../resume/frame.ts";
import { isFinal } from "../prepare-child.ts";
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
    if (outcome.kind !== "error" || isFinal(outcome, frame)) return outcome;
    const code = codeOf(outcome);
    if (retry === undefined || !isTriedAgain(code)) return outcome;
    // What may have happened would happen twice.
    if (world.journal.leftUnknown(frame, at.path)) return outcome;

    const next = attempt + 1;
    const delayMs = decideDelay(retry, { call: frame.call, path, attempt: next });
    const paused = await world.journal.waitUntil(frame, frame.wallMs() + delayMs);
    if (paused !== undefined) return paused;
    if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");
    if (frame.isTraceFull(path)) return fail("BUDGET_EXCEEDED", "the trace is full");
    await frame.catchUp(path);
    frame.record({ type: "step.retried", content: { path, attempt: next, delayMs, code } });
  }
}

type RunOnce = (place: NodePlace) => Promise<NodeOutcome>;

/** Each try makes new calls; threads and notes are the same in all of them. */
function placeTry(place: NodePlace, attempt: number): NodePlace {
  return attempt === 1 ? place : { ...place, path: `${place.path}/tries/${attempt}` };
}

/**
 * The time that a node has is that of each of its tries. That of an item which has said nothing yet
 * begins with what it says first: while it stood in line nobody worked on it.
 */
function limitTime({ timeoutMs }: CheckedNode, place: NodePlace): NodePlace {
  if (timeoutMs === undefined) return place;
  const { frame } = place;
  const { beganMs } = frame.recorder;
  const startMs = beganMs() === undefined ? undefined : frame.lastMs();
  const limited: Frame = {
    ...frame,
    get deadlineAt() {
      const sinceMs = startMs ?? beganMs() ?? Number.POSITIVE_INFINITY;
      return Math.min(frame.deadlineAt, sinceMs + timeoutMs);
    },
  };
  return { ...place, frame: limited };
}

/** The code that a flow goes by: of a child that failed, the child's own. */
export function codeOf({ error }: Failed): CallErrorCode {
  return error.details.step?.code ?? error.code;
}
