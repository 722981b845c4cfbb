/**
 * The graph of a run, folded from its log (spec/graph.md §6): the run as a project, its plans, its
 * requests and its actions.
 *
 * 1. An executed flow is a plan: a proposed one, or one that is made as its steps begin. Each step
 *    that begins is a node, and its call is a segment.
 * 2. It holds no content, so that a graph is the same before and after an erasure.
 * 3. Changes from a log follow the rules of a graph. A refused change is kept as an objection, and
 *    changes nothing.
 */
import { type EventOf, isVendorEvent, type LoopEvent } from "@turnseal/protocol";
import { foldClosing, foldDecision, foldProposal } from "./fold-plans.ts";
import { endRequest, foldRequest, foldWord } from "./fold-requests.ts";
import { foldBegin, foldEnd, foldSkip } from "./fold-steps.ts";
import type { Graph } from "./graph.ts";
import { apply, closePlan, move, type Objection, openFold, type RunFold } from "./run-fold.ts";
import type { Tell } from "./tell-change.ts";

export interface RunGraph {
  readonly graph: Graph;
  /** Folds the next event of the log. */
  follow(event: LoopEvent): void;
  /** The refused changes. */
  objections(): readonly Objection[];
}

/** Folds a log event by event. Calls `tell` for each change, and `onWritten` for each row. */
export function foldRun(run: string, tell?: Tell, onWritten?: Graph["onWritten"]): RunGraph {
  const fold = openFold(run, tell, onWritten);
  return {
    graph: fold.graph,
    objections: () => fold.objections,
    follow: (event) => {
      if (!isVendorEvent(event)) followEvent(fold, event);
    },
  };
}

function followEvent(fold: RunFold, event: LoopEvent): void {
  switch (event.type) {
    case "run.started":
      beginRun(fold, event);
      break;
    case "turn.started":
      beginTurn(fold, event);
      break;
    case "plan.proposed":
      foldProposal(fold, event);
      break;
    case "plan.decided":
      foldDecision(fold, event);
      break;
    case "child.started":
      foldBegin(fold, event);
      break;
    case "child.completed":
      foldEnd(fold, event);
      break;
    case "step.skipped":
      foldSkip(fold, event);
      break;
    case "plan.closed":
      foldClosing(fold, event);
      break;
    case "call.completed":
      closePlan(fold, event.call, "completed", event);
      break;
    case "call.errored": {
      const isCancelled = event.content.code === "CANCELLED";
      closePlan(fold, event.call, isCancelled ? "cancelled" : "failed", event);
      break;
    }
    case "turn.closed":
      endTurn(fold, event);
      break;
    default:
      followAsked(fold, event);
  }
}

/** A graph says nothing of the rest. */
function followAsked(fold: RunFold, event: LoopEvent): void {
  if (event.type === "approval.requested") foldRequest(fold, event);
  if (event.type === "approval.decided") foldWord(fold, event);
  if (event.type === "approval.expired")
    endRequest(fold, { key: event.content.key, to: "cancelled" }, event);
  if (event.type === "action.claimed")
    endRequest(fold, { key: event.content.key, to: "approved" }, event);
}

function beginRun(fold: RunFold, event: EventOf<"run.started">): void {
  const { nodes } = fold;
  const object = nodes.context(event.content.spec.loop, event.at);
  apply(fold, { kind: "put", type: "context", object }, event);
  move(fold, nodes.contextId, "active", event);
  apply(fold, { kind: "put", type: "role", object: nodes.decider() }, event);
}

function beginTurn(fold: RunFold, event: EventOf<"turn.started">): void {
  const id = fold.nodes.traceId(event.turn);
  const object = fold.nodes.trace(event.turn, event.at);
  apply(fold, { kind: "put", type: "trace", object }, event);
  move(fold, id, "running", event);
  fold.trace = id;
}

function endTurn(fold: RunFold, event: EventOf<"turn.closed">): void {
  const { trace } = fold;
  for (const carrier of [...fold.plans.keys()]) closePlan(fold, carrier, "cancelled", event);
  for (const key of [...fold.asked.keys()]) endRequest(fold, { key, to: "cancelled" }, event);
  fold.reasons.clear();
  fold.trace = undefined;
  if (trace === undefined) return;
  const { outcome } = event.content;
  const other = outcome === "cancelled" ? "cancelled" : "failed";
  move(fold, trace, outcome === "completed" ? "completed" : other, event);
}
