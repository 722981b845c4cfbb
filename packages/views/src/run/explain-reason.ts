import type { StopDecision } from "@turnseal/folds";
import { ROUNDS_DEFAULT, ROUNDS_MAX, type StopReason } from "@turnseal/protocol";

/** Why a run goes on, or waits to. */
type ContinueReason = Exclude<StopDecision["reason"], StopReason>;

const sentences: Readonly<Record<StopReason | ContinueReason, string>> = {
  "first-turn": "the run begins",
  "goal-not-reached": "the output does not meet the goal yet",
  "retry-after-failure": "the turn failed, and the bounds allow another attempt",
  "retry-later": "the provider asked for a pause before the next attempt",
  "provider-awaited": "the provider gave no answer, and is asked again later",
  "signal-awaited": "the next turn waits for a signal",
  "signal-received": "a signal for the next turn was received",
  "goal-reached": "the output meets the goal",
  "turns-exhausted": "the bounds allow no further turn (turnsMax)",
  "rounds-exhausted": "the model gave no final answer within its rounds (maxRounds)",
  "budget-exhausted": "the grant's budget has no room for the next action",
  "deadline-passed": "the deadline of the run has passed",
  denied: "the grant or a rule does not allow it",
  "approval-rejected": "a person rejected it",
  "approval-expired": "no person decided in time",
  cancelled: "the run was cancelled",
  failed: "a turn failed, and the bounds allow no further attempt (failuresMax)",
  stalled: "it was resumed repeatedly without progress",
  "effect-unknown":
    "a turn did not complete: the result of an action is unknown, or a group was done in part",
  drifted: "the code differs from the code that recorded the turn",
  "receipt-missing": "a closed turn has no receipt",
  "projection-stale": "the state is newer than the log",
};

/** Explains a reason in words. */
export function explainReason(reason: string): string {
  return Object.hasOwn(sentences, reason) ? sentences[reason as StopReason] : reason;
}

const advice: Partial<Readonly<Record<StopReason, string>>> = {
  "turns-exhausted": "start it with --turns-max <n>, or turnsMax of its bounds",
  "rounds-exhausted":
    `raise maxRounds of the prompt (${ROUNDS_DEFAULT} unless it says otherwise, at most ` +
    `${ROUNDS_MAX}), or start it with --on-rounds-exhausted continue`,
  "budget-exhausted": "start it with a larger --budget; turnseal check --bounds says how much",
};

/** Where to change the setting that ended a run; undefined where none did. */
export function adviseAfter(reason: string): string | undefined {
  return Object.hasOwn(advice, reason) ? advice[reason as StopReason] : undefined;
}
