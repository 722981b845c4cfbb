/** How often something occurred, over one seed or many. */
import { STOP_REASONS } from "@turnseal/protocol";

export const FAULTS = [
  "crash-before",
  "crash-after",
  "freeze",
  "wake",
  "take-over",
  "disk-full",
  "answer-lost",
  "clock-back",
  "row-twice",
  "signal",
  "cancel",
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
] as const;

/** Reasons that need an approval to exist. */
const later: ReadonlySet<string> = new Set(["approval-rejected", "approval-expired"]);

/** Everything that must have occurred in a simulation of full size. */
export const REQUIRED: readonly string[] = [
  ...FAULTS.map((fault) => `fault ${fault}`),
  ...STOP_REASONS.filter((reason) => !later.has(reason)).map((reason) => `stop ${reason}`),
  ...FATES.map((fate) => `fate ${fate}`),
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
