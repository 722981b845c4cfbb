/** How often something occurred, over one seed or many. */
import { BLOCK_CAUSES, type BlockCause, STOP_REASONS } from "@turnseal/protocol";
import { LIES } from "./hostile-host.ts";
import { SPEAKERS } from "./hostile-values.ts";

/**
 * Blocks by an operator of many workers, or by changed files: these are not a lack of a worker, and
 * are not simulated.
 */
export const OF_A_SERVICE: ReadonlySet<BlockCause> = new Set([
  ...(["quarantined", "paused", "limited", "world-drift", "release-away"] as const),
]);

export const FAULTS = [
  "crash-before",
  "crash-after",
  "crash-undelivered",
  "freeze",
  "wake",
  "take-over",
  "disk-full",
  "answer-lost",
  "log-slow",
  "clock-back",
  "row-twice",
  "signal",
  "cancel",
  "policy-changed",
  "tool-slow",
  "tool-hangs",
  "tool-fails",
  "tool-unavailable",
  "tool-refuses",
  "tool-throws",
  "lands-later",
  "reconcile-unsure",
  "model-fails",
  "model-hangs",
  "spree",
  "code-changed",
  "snapshot-ahead",
  "receipt-lost",
  "child-widened",
  "child-unpaid",
  "child-hidden",
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
  "late-happened",
  "late-never",
  "late-abandon",
  "thrown-idempotent",
  "thrown-reconcile",
  "thrown-once",
  "handoff-1",
  "handoff-2",
  "handoff-3",
  "handoff-ok",
  "handoff-failed",
  "turn-by-signal",
  "turn-by-tick",
  "sealed-with-a-later-key",
  "thread-continued",
  "thread-left-out",
  "thread-call-closed",
  "thread-resumed",
  "thread-past-rounds",
  // The fuzzer causes errors that no retry can fix.
  ...BLOCK_CAUSES.filter((cause) => cause !== "error" && !OF_A_SERVICE.has(cause)).map(
    (cause) => `blocked-${cause}` as const,
  ),
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
  "approve-excluded",
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

/** The ends of requests, and the reasons for refusals. */
export const ANSWERS = [
  "approval.requested",
  "approval.decided",
  "approval.expired",
  "question.asked",
  "question.answered",
  "refused not-asked",
  "refused role-missing",
  "refused person-excluded",
  "refused identity-missing",
  "refused too-late",
  "refused decided-already",
  "refused answer-wrong",
  "refused choice-unknown",
  "refused signal-unreadable",
  "refused at-the-door unreadable",
  "denied policy-denied",
  "denied tool-not-granted",
  "denied condition-failed",
  "denied grant-widened",
  "denied handoff-not-granted",
  "denied depth-passed",
  "denied grant-expired",
  "denied approval-declined",
  "denied starter-unknown",
  "used approval",
  "total asked",
  "total denied",
  ...LIES.map((lie) => `found ${lie}` as const),
] as const;

/** The claims of texts without effect, and the speakers of hostile values. */
export const TEXTS = [
  ...(["approval", "grant", "stop"] as const).map((claim) => `claims-${claim}` as const),
  ...SPEAKERS.map((speaker) => `hostile-${speaker}` as const),
];

/** Everything that must have occurred in a simulation of full size. */
export const REQUIRED: readonly string[] = [
  ...FAULTS.map((fault) => `fault ${fault}`),
  ...STOP_REASONS.map((reason) => `stop ${reason}`),
  ...FATES.map((fate) => `fate ${fate}`),
  ...DECISIONS.map((decision) => `decision ${decision}`),
  ...ANSWERS.map((answer) => `answer ${answer}`),
  ...TEXTS.map((text) => `text ${text}`),
];

/** Rare figures, which only so many seeds must show. */
export const RARE: ReadonlySet<string> = new Set([
  "fate thread-call-closed",
  "fate settled-cancelled",
  "text hostile-edit",
]);
export const RARE_AMONG = 3_000;

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
