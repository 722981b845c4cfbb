/** How often something occurred, over one seed or many. */
import { STOP_REASONS } from "@turnseal/protocol";

export const FAULTS = [
  "crash-before",
  "crash-after",
  "crash-undelivered",
  "freeze",
  "wake",
  "take-over",
  "disk-full",
  "answer-lost",
  "clock-back",
  "row-twice",
  "signal",
  "cancel",
  "policy-changed",
  "tool-slow",
  "tool-hangs",
  "tool-fails",
  "tool-unavailable",
  "tool-unsure",
  "lands-later",
  "reconcile-unsure",
  "model-fails",
  "model-hangs",
  "code-changed",
  "snapshot-ahead",
  "receipt-lost",
] as const;
export type Fault = (typeof FAULTS)[number];

export const FATES = [
  "settled-ok",
  "settled-failed",
  "settled-timed-out",
  "settled-cancelled",
  "resolved-again",
  "resolved-orphaned",
  "resolved-never",
  "resolved-happened",
  "resolved-retry",
  "resolved-abandon",
  "unknown",
  "open-at-close",
  "handoff-1",
  "handoff-2",
  "handoff-3",
  "handoff-ok",
  "handoff-failed",
  "turn-by-signal",
  "turn-by-tick",
] as const;

/** What people, and others, say to a run that asks. */
export const DECISIONS = [
  "approve",
  "approve-late",
  "approve-twice",
  "approve-again",
  "approve-both",
  "approve-and-reject",
  "approve-wrong-role",
  "approve-nobody",
  "approve-elsewhere",
  "approve-other",
  "choice-unknown",
  "reject",
  "edit",
  "edit-wrong",
  "answer",
  "answer-agent",
  "answer-late",
  "answer-wrong-shape",
  "answer-wrong-role",
  "resolve-wrong-role",
  "result-again",
] as const;
export type Decision = (typeof DECISIONS)[number];

/** What became of what was asked, and why something was not done. */
export const ANSWERS = [
  "approval.requested",
  "approval.decided",
  "approval.expired",
  "question.asked",
  "question.answered",
  "refused not-asked",
  "refused role-missing",
  "refused identity-missing",
  "refused too-late",
  "refused decided-already",
  "refused answer-wrong",
  "refused choice-unknown",
  "denied policy-denied",
  "denied tool-not-granted",
  "denied condition-failed",
  "denied grant-widened",
  "denied handoff-not-granted",
  "denied depth-passed",
  "denied grant-expired",
  "denied approval-declined",
  "used approval",
] as const;

/** What texts claimed without effect. */
export const TEXTS = ["approval", "grant", "stop"] as const;

/** Everything that must have occurred in a simulation of full size. */
export const REQUIRED: readonly string[] = [
  ...FAULTS.map((fault) => `fault ${fault}`),
  ...STOP_REASONS.map((reason) => `stop ${reason}`),
  ...FATES.map((fate) => `fate ${fate}`),
  ...DECISIONS.map((decision) => `decision ${decision}`),
  ...ANSWERS.map((answer) => `answer ${answer}`),
  ...TEXTS.map((text) => `text claims-${text}`),
];

export interface Tally {
  count(what: string): void;
  read(): ReadonlyMap<string, number>;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
    read: () => counts,
  };
}

/** Adds the counts of one tally to a sum. */
export function addCounts(sum: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [what, count] of counts) sum.set(what, (sum.get(what) ?? 0) + count);
}
