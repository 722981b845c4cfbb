/**
 * The shared state of the folds of a run's log into a graph: the graph, and the open parts of the
 * log.
 */
import type { LoopEvent, PlanEnd } from "@turnseal/protocol";
import { applyChange } from "./apply-change.ts";
import { createGraph, type Graph } from "./graph.ts";
import type { Changed, GraphChange, Refused } from "./graph-change.ts";
import { nameNodes, type RunNodes } from "./run-nodes.ts";
import { applyTold, type Tell } from "./tell-change.ts";

/** A change that the rules of a graph refused. */
export interface Objection extends Refused {
  /** The event that wanted it. */
  readonly sequence: number;
}

/** A plan that is carried out, or may come to be. */
export interface OpenPlan {
  readonly id: string;
  /** Planned steps that have not begun, by their places in the flow. */
  readonly waiting: Map<string, string>;
  /** Steps by the calls that carry them out. */
  readonly steps: Map<string, string>;
  isStarted: boolean;
  /** The event that proposed it, where one did. */
  readonly proposal?: Proposal;
  /** The key of the request to decide on it, if people decide. */
  request?: string;
}

/** How a later event names a proposal. */
export interface Proposal {
  readonly sequence: number;
  readonly hash: string;
}

export interface RunFold {
  readonly graph: Graph;
  readonly nodes: RunNodes;
  /** Applies a change, and reports it to a listener. */
  change(change: GraphChange): Changed | Refused;
  readonly objections: Objection[];
  /** Plans of the open turn, by the call that carries them out. */
  readonly plans: Map<string, OpenPlan>;
  /** Requests that are open, by the key of their action. */
  readonly asked: Map<string, string>;
  /** The last reason for a decision in the open turn, by the key of its action. */
  readonly reasons: Map<string, string>;
  /** The trace of the open turn. */
  trace: string | undefined;
}

export function openFold(
  run: string,
  tell: Tell | undefined,
  onWritten: Graph["onWritten"],
): RunFold {
  const graph = createGraph(onWritten);
  const ids = { pipeline: run, graph: run };
  return {
    graph,
    nodes: nameNodes(run),
    change: (change) =>
      tell === undefined ? applyChange(graph, change) : applyTold({ graph, ids, tell }, change),
    objections: [],
    plans: new Map(),
    asked: new Map(),
    reasons: new Map(),
    trace: undefined,
  };
}

/** Applies a change; what is refused is kept as an objection. */
export function apply(fold: RunFold, change: GraphChange, { sequence }: LoopEvent): boolean {
  const answer = fold.change(change);
  if (answer.kind === "refused") fold.objections.push({ ...answer, sequence });
  return answer.kind === "changed";
}

/** Keeps an objection without a change: for an event that names a missing node. */
export function object(fold: RunFold, refused: Refused, { sequence }: LoopEvent): void {
  fold.objections.push({ ...refused, sequence });
}

export function move(fold: RunFold, id: string, to: string, event: LoopEvent): boolean {
  return apply(fold, { kind: "move", id, to }, event);
}

/** A plan is completed, or has failed, only where its steps say so; else it is cancelled. */
export function closePlan(fold: RunFold, carrier: string, status: PlanEnd, event: LoopEvent): void {
  const plan = fold.plans.get(carrier);
  fold.plans.delete(carrier);
  if (plan === undefined || !plan.isStarted) return;
  const ways = status === "completed" ? ["completed", "failed"] : [status];
  const isClosed = ways.some(
    (to) => fold.change({ kind: "move", id: plan.id, to }).kind === "changed",
  );
  if (!isClosed) move(fold, plan.id, "cancelled", event);
}
