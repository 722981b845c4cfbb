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

/**
 * The causes for which the host may ask for a rollback, if a run names them: every stop reason
 * short of the goal, and `group`. The latter is an effect group that did not end as `all`.
 */
export const ROLLBACK_CAUSES = [
  ...STOP_REASONS.filter((reason) => reason !== "goal-reached" && reason !== "projection-stale"),
  "group",
] as const;
export type RollbackCause = (typeof ROLLBACK_CAUSES)[number];

/**
 * Why a worker cannot drive a run, although another may: a closed set. It ends nothing.
 *
 * `loop-missing`, `loop-changed` and `tool-missing`: a part that the run was started with is not
 * here. `release-away`: another release has the missing part, and no worker of it has answered.
 * `root-missing`: this worker has bound no folder to a root of its files. `world-drift`: files
 * under a root differ from its record, and it begins no turn in that state. `unspoken`: its open
 * turn has other semantics. `key-ended`: no signing key is valid. `error`: it failed in a way that
 * a retry cannot fix. `quarantined`: workers were lost again and again while it did the same
 * action. `paused`: a person's pause holds it. `limited`: all runs of its tenant together have
 * reached a limit, for a while.
 */
export const BLOCK_CAUSES = [
  "loop-missing",
  "loop-changed",
  "tool-missing",
  "release-away",
  "root-missing",
  "world-drift",
  "unspoken",
  "key-ended",
  "error",
  "quarantined",
  "paused",
  "limited",
] as const;
export type BlockCause = (typeof BLOCK_CAUSES)[number];

/**
 * Why a run cannot go on as things are: a block, which another worker may not have, something that
 * is lost, or another process that drives it.
 */
export type Obstacle = BlockCause | "stale" | "content-erased" | "carried";

/** A lack of a worker: a cause, and the name of the thing. */
export interface Block {
  readonly cause: BlockCause;
  readonly what: string;
  /** When it is over by itself, where that is known. */
  readonly until?: string;
}

/** A tool's declaration of what a second execution does. */
export const EFFECTS = ["read", "idempotent", "reconcile", "once"] as const;
export type Effect = (typeof EFFECTS)[number];

/** The end of a member of a group. */
export const MEMBER_ENDS = ["done", "not-done", "taken-back", "unknown"] as const;
export type MemberEnd = (typeof MEMBER_ENDS)[number];

/** How a group ended. */
export const GROUP_OUTCOMES = ["all", "none", "part"] as const;
export type GroupOutcome = (typeof GROUP_OUTCOMES)[number];
