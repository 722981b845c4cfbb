import type { LoopEvent } from "@turnseal/protocol";
import { answerEvents } from "./answer-events.ts";
import type { Tally } from "./tally.ts";

const IGNORED = [
  ...["run.started", "run.decided", "run.blocked", "run.stopped", "turn.started", "turn.denied"],
  ...["turn.resumed", "turn.waiting", "turn.closed", "call.started", "call.input.validated"],
  ...["call.output.validated", "call.completed", "child.started", "child.completed"],
  ...["action.claimed", "action.settled", "action.unknown", "action.resolved", "log"],
  ...["cache.hit", "note.added", "note.expired", "run.resolved"],
  ...["drift.reconciled", "artifact.adopted"],
  ...["fanout.fixed", "item.closed", "step.retried", "step.skipped", "group.closed"],
  ...["plan.proposed", "plan.decided", "plan.closed"],
] as const;

/** Counts requests to people, their answers, and their refusals. */
export function countAnswers(tally: Tally): (event: LoopEvent) => void {
  const count = ({ type }: Pick<LoopEvent, "type">): void => tally.count(`answer ${type}`);
  return answerEvents(IGNORED, {
    "approval.requested": count,
    "approval.decided": count,
    "approval.expired": count,
    "question.asked": count,
    "question.answered": count,
    "signal.received": ({ content }) => {
      if (content.kind === "refused") tally.count(`answer refused ${content.why}`);
    },
    "call.errored": ({ content: { details } }) => {
      const { denial, rule } = details;
      if (denial !== undefined) tally.count(`answer denied ${denial}`);
      if (rule?.id === "deny-total") tally.count("answer total denied");
    },
  });
}
