/** The goals of a simulation of flows. */
import type { Wanted } from "../simulate/summary.ts";
import type { Figure } from "./run-flow-seed.ts";

const required: readonly string[] = [
  ...["crash-before", "crash-after", "crash-after-act", "lands-later", "freeze", "wake"].map(
    (fault) => `fault ${fault}`,
  ),
  ...["take-over", "clock-back", "disk-full", "answer-lost", "cancel"].map(
    (fault) => `fault ${fault}`,
  ),
  ...["fan-out", "fan-out-of-0", "fan-out-of-1", "item-ok", "item-error", "item-withdrawn"].map(
    (what) => `flow ${what}`,
  ),
  ...["retried", "skipped-condition", "skipped-failed", "skipped-blocked", "handoff"].map(
    (what) => `flow ${what}`,
  ),
  ...["asked-person", "asked-signal", "waits-for-person", "waits-for-signal", "waits-for-time"].map(
    (what) => `flow ${what}`,
  ),
  ...["question", "approval", "signal", "signal-wrong", "signal-unasked"].map(
    (word) => `word ${word}`,
  ),
  ...["wrong", "again-or-late", "happened", "retry"].map((word) => `word ${word}`),
  ...["TOOL_FAILED", "BACKEND_FAILED", "CHILD_FAILED", "MAPPING_FAILED", "TIMEOUT"].map(
    (code) => `code ${code}`,
  ),
  ...["BUDGET_EXCEEDED", "CANCELLED"].map((code) => `code ${code}`),
  ...["goal-reached", "failed", "denied", "budget-exhausted", "cancelled"].map(
    (reason) => `stop ${reason}`,
  ),
  ...["compared", "compared node by node"],
];

export const WANTED: Wanted<Figure> = {
  required,
  rare: new Set(["fault cancel", "code CANCELLED", "stop cancelled", "word signal-wrong"]),
  rareAmong: 500,
  medians: { nodes: 20, actions: 5, crashes: 1 },
};
