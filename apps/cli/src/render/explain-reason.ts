import type { StopDecision } from "@turnseal/host";
import type { StopReason } from "@turnseal/protocol";

/** Why a run goes on, or waits to. */
type ContinueReason = Exclude<StopDecision["reason"], StopReason>;

const sentences: Readonly<Record<StopReason | ContinueReason, string>> = {
  "first-turn": "the run begins",
  "goal-not-reached": "the output does not meet the goal yet",
  "retry-after-failure": "the turn failed, and the bounds allow another try",
  "retry-later": "the provider asked to be left alone for a while; then it is tried again",
  "signal-awaited": "the next turn begins with a signal, and there is none yet",
  "signal-received": "a signal was received that the next turn begins with",
  "goal-reached": "the output meets the goal",
  "turns-exhausted": "the bounds allow no further turn",
  "rounds-exhausted": "the model gave no answer within its rounds",
  "budget-exhausted": "the grant's budget is used up",
  "deadline-passed": "the deadline of the run has passed",
  denied: "the grant does not allow it",
  "approval-rejected": "a person said no",
  "approval-expired": "no person decided in time",
  cancelled: "somebody cancelled it",
  failed: "the bounds allow no further try after a failure",
  stalled: "it was resumed again and again without getting on",
  "effect-unknown": "an action was given up whose effect nobody knows",
  drifted: "the code is not the one that recorded the turn",
  "receipt-missing": "a closed turn has no receipt",
  "projection-stale": "the state is newer than the log",
};

/** What a reason means, in words. */
export function explainReason(reason: string): string {
  return Object.hasOwn(sentences, reason) ? sentences[reason as StopReason] : reason;
}
