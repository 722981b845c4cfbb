/** How a turn can end: a closed set, used in every surface. */
export const TURN_OUTCOMES = [
  "completed",
  "refused",
  "denied",
  "rejected",
  "failed",
  "cancelled",
  "timed-out",
  "unknown",
] as const;
export type TurnOutcome = (typeof TURN_OUTCOMES)[number];

/** Why a run can stop: a closed set, used in every surface. */
export const STOP_REASONS = [
  "goal-reached",
  "turns-exhausted",
  "rounds-exhausted",
  "budget-exhausted",
  "deadline-passed",
  "denied",
  "approval-rejected",
  "approval-expired",
  "cancelled",
  "failed",
  "stalled",
  "effect-unknown",
  "drifted",
  "receipt-missing",
  "projection-stale",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** What a tool declares about doing its effect twice. */
export const EFFECTS = ["read", "idempotent", "reconcile", "once"] as const;
export type Effect = (typeof EFFECTS)[number];
