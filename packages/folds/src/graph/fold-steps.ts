/** Steps in the graph of a run, each with the call that carries it out as a segment. */
import { type EventOf, PLAN_TOOL } from "@turnseal/protocol";
import { approvePlan, putPlan } from "./fold-plans.ts";
import { apply, move, type RunFold } from "./run-fold.ts";

/** A planned or unplanned step begins. */
export function foldBegin(fold: RunFold, event: EventOf<"child.started">): void {
  const { child, loop, path } = event.content;
  if (path === undefined || loop === PLAN_TOOL) return;
  const { nodes, trace } = fold;
  const known = fold.plans.get(event.call);
  const own = nodes.stepId(child);
  const object = nodes.step(own, { loop, after: [] });
  const plan = known ?? putPlan(fold, { carrier: event.call, loop, steps: [object] }, event);
  const planned = plan.waiting.get(path);
  if (known === undefined) approvePlan(fold, plan, event);
  else if (planned === undefined) apply(fold, { kind: "add", to: plan.id, object }, event);
  plan.waiting.delete(path);
  const step = planned ?? own;
  plan.steps.set(child, step);
  move(fold, step, "in_progress", event);
  if (trace === undefined) return;
  apply(fold, { kind: "add", to: trace, object: nodes.segment(child, loop) }, event);
  move(fold, child, "running", event);
}

export function foldEnd(fold: RunFold, event: EventOf<"child.completed">): void {
  const { child, status } = event.content;
  const step = fold.plans.get(event.call)?.steps.get(child);
  if (step === undefined) return;
  const to = status === "ok" ? "completed" : "failed";
  move(fold, step, to, event);
  move(fold, child, to, event);
}

/** A tolerated failure is a failure all the same. */
export function foldSkip(fold: RunFold, event: EventOf<"step.skipped">): void {
  const { path, because } = event.content;
  const step = fold.plans.get(event.call)?.waiting.get(path);
  if (step === undefined || because === "failed") return;
  move(fold, step, because === "blocked" ? "blocked" : "skipped", event);
}
