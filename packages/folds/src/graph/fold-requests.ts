/** Requests to people in a run, other than plans: a confirm each. */
import { type EventOf, type LoopEvent, PLAN_TOOL } from "@turnseal/protocol";
import { apply, type RunFold } from "./run-fold.ts";

export function foldRequest(fold: RunFold, event: EventOf<"approval.requested">): void {
  const { content, call, sequence } = event;
  // A plan has its confirm since it was proposed.
  if (content.action === "tool" && content.tool === PLAN_TOOL) {
    const plan = fold.plans.get(event.parentCall ?? "");
    if (plan !== undefined) plan.request = content.key;
    return;
  }
  endRequest(fold, { key: content.key, to: "cancelled" }, event);
  const target = { id: call, type: "other", about: String(sequence) } as const;
  const object = fold.nodes.confirm(target, event.at);
  apply(fold, { kind: "put", type: "confirm", object }, event);
  fold.asked.set(content.key, fold.nodes.confirmId(target.about));
}

interface RequestEnd {
  readonly key: string;
  /** Approved at its use: enough people have approved by then. */
  readonly to: "approved" | "rejected" | "cancelled";
}

/** Ends the request under a key, if there is one. */
export function endRequest(fold: RunFold, { key, to }: RequestEnd, event: LoopEvent): void {
  const confirm = fold.asked.get(key);
  fold.asked.delete(key);
  if (confirm === undefined) return;
  const decided = { status: to, at: event.at, reason: fold.reasons.get(key) };
  const said = to === "cancelled" ? {} : { decision: fold.nodes.decision(confirm, decided) };
  apply(fold, { kind: "move", id: confirm, to, ...said }, event);
}

/** Folds a decision: a rejection ends the request, an approval does so when it is used. */
export function foldWord(fold: RunFold, event: EventOf<"approval.decided">): void {
  const { key, choice, reason } = event.content;
  if (reason !== undefined) fold.reasons.set(key, reason.digest);
  if (choice === "reject") endRequest(fold, { key, to: "rejected" }, event);
}
