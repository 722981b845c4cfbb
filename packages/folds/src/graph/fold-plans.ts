/** Plans in the graph of a run: proposed, decided, and made as a flow goes. */
import { type EventOf, type LoopEvent, PLAN_TOOL } from "@turnseal/protocol";
import { refuse } from "./graph-change.ts";
import {
  apply,
  closePlan,
  move,
  type OpenPlan,
  object,
  type Proposal,
  type RunFold,
} from "./run-fold.ts";

interface PlanToPut {
  /** The call that carries it out. */
  readonly carrier: string;
  readonly loop: string;
  readonly steps: readonly object[];
  readonly proposal?: Proposal;
}

/** Puts a plan with its confirm, which is open. */
export function putPlan(fold: RunFold, { carrier, ...put }: PlanToPut, event: LoopEvent) {
  const { nodes, trace } = fold;
  const { loop, steps, proposal } = put;
  const id = nodes.planId(event.sequence);
  const plan: OpenPlan = {
    ...{ id, waiting: new Map(), steps: new Map(), isStarted: false },
    ...(proposal === undefined ? {} : { proposal }),
  };
  fold.plans.set(carrier, plan);
  const object = nodes.plan(id, { loop, steps, at: event.at });
  apply(fold, { kind: "put", type: "plan", object }, event);
  move(fold, id, "proposed", event);
  const confirm = nodes.confirm({ id, type: "plan" }, event.at);
  apply(fold, { kind: "put", type: "confirm", object: confirm }, event);
  if (trace !== undefined) apply(fold, { kind: "edit", id: trace, fields: { plan_id: id } }, event);
  return plan;
}

/** Every plan that is carried out was approved: by people, or with the grant of its run. */
export function approvePlan(fold: RunFold, plan: OpenPlan, event: LoopEvent): void {
  decidePlan(fold, plan, "approved", event);
  plan.isStarted = move(fold, plan.id, "in_progress", event);
}

function decidePlan(
  fold: RunFold,
  plan: OpenPlan,
  status: "approved" | "rejected",
  event: LoopEvent,
): void {
  const { nodes, reasons } = fold;
  const id = nodes.confirmId(plan.id);
  const reason = reasons.get(plan.request ?? "");
  const decision = nodes.decision(id, { status, at: event.at, reason });
  apply(fold, { kind: "move", id, to: status, decision }, event);
}

export function foldProposal(fold: RunFold, event: EventOf<"plan.proposed">): void {
  const { steps } = event.content;
  const { nodes } = fold;
  const id = nodes.planId(event.sequence);
  const objects = steps.map(({ loop, after }, index) => {
    const needs = after.map((place) => nodes.plannedId(id, place));
    return nodes.step(nodes.plannedId(id, index), { loop, after: needs });
  });
  const carrier = event.parentCall ?? "";
  // One plan at a time is proposed for what a call carries out.
  if (fold.plans.get(carrier)?.proposal !== undefined) {
    object(fold, refuse("id-taken", id), event);
    return;
  }
  const proposal = { sequence: event.sequence, hash: event.hash };
  const put = { carrier, loop: PLAN_TOOL, steps: objects, proposal };
  const plan = putPlan(fold, put, event);
  for (const [index, { path }] of steps.entries())
    plan.waiting.set(path, nodes.plannedId(id, index));
}

export function foldDecision(fold: RunFold, event: EventOf<"plan.decided">): void {
  const plan = findProposed(fold, event.parentCall, event);
  if (plan === undefined) return;
  switch (event.content.decision) {
    case "approved":
      approvePlan(fold, plan, event);
      break;
    case "rejected":
      decidePlan(fold, plan, "rejected", event);
      break;
    case "expired":
    case "denied":
      move(fold, fold.nodes.confirmId(plan.id), "cancelled", event);
      break;
  }
}

export function foldClosing(fold: RunFold, event: EventOf<"plan.closed">): void {
  const plan = findProposed(fold, event.call, event);
  if (plan === undefined) return;
  if (plan.isStarted) closePlan(fold, event.call, event.content.status, event);
  else object(fold, refuse("plan-in-progress", plan.id), event);
}

/** The plan that an event names, of the call that carries it out; else an objection is kept. */
function findProposed(
  fold: RunFold,
  carrier: string | undefined,
  event: EventOf<"plan.decided" | "plan.closed">,
): OpenPlan | undefined {
  const plan = fold.plans.get(carrier ?? "");
  const { plan: sequence, hash } = event.content;
  if (plan?.proposal?.sequence === sequence && plan.proposal.hash === hash) return plan;
  object(fold, refuse("node-unknown", fold.nodes.planId(sequence)), event);
  return undefined;
}
