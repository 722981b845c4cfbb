/** An account of the cents that a run has committed, kept from its log without the runtime. */
import type { Amounts, LoopEvent } from "@turnseal/protocol";
import { answerEvents } from "./answer-events.ts";

export interface SpendingWatch {
  onEvent(event: LoopEvent): void;
  /** Everything that is spent, or reserved and not yet given back. */
  cents(): number;
  /** The same before a claim. */
  before(claim: number): number | undefined;
}

const IGNORED = [
  ...["run.started", "run.decided", "run.blocked", "run.stopped", "signal.received"],
  ...["turn.started", "turn.denied", "turn.resumed", "turn.waiting", "turn.closed", "call.started"],
  ...["call.input.validated", "call.output.validated", "call.completed", "call.errored"],
  ...["child.started", "child.completed", "action.unknown", "action.resolved"],
  ...["approval.requested", "approval.decided", "approval.expired", "question.asked"],
  ...["question.answered", "log"],
  ...["cache.hit", "note.added", "note.expired", "run.resolved"],
  ...["drift.reconciled", "artifact.adopted"],
  ...["fanout.fixed", "item.closed", "step.retried", "step.skipped", "group.closed"],
  ...["plan.proposed", "plan.decided", "plan.closed"],
] as const;

/** It starts with the cents that the runs above had committed. */
export function watchSpending(above: number): SpendingWatch {
  let total = above;
  const totals = new Map<number, number>();
  return {
    cents: () => total,
    before: (claim) => totals.get(claim),
    onEvent: answerEvents(IGNORED, {
      "action.claimed": ({ content, sequence }) => {
        totals.set(sequence, total);
        // A claim that replaces another has its reservation.
        if (content.action !== "tool" || !content.supersedes) total += centsOf(content.reserve);
      },
      "action.settled": ({ content }) => {
        total += centsOf(content.spent) - centsOf(content.reserve);
      },
    }),
  };
}

function centsOf(amounts: Amounts): number {
  return amounts["payments.cents"] ?? 0;
}
