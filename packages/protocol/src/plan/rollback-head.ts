/** The facts of a rollback for the people who decide on it (spec/rollback.md §3). */
import { hasOnly, isCount, isListOf, isOneOf, isText, isTrue } from "../shape.ts";

/** A run that is taken back to the end of a turn, and the actions that are left. */
export interface RollbackHead {
  readonly run: string;
  /** The last turn that is left as it is: 0 for the whole run. */
  readonly toTurn: number;
  /** The number of the rollback of the run, from 0. */
  readonly ordinal: number;
  readonly left: readonly LeftAction[];
  /** Earlier actions that it does not look at: the next rollback does. Absent: none. */
  readonly later?: number;
  /** Actions that are left beside those in `left`, which is bounded. Absent: none. */
  readonly leftBeside?: number;
  /**
   * Files that differ from what the run left, at the time of the request; they stay. Absent: none
   * known.
   */
  readonly drifted?: readonly { readonly root: string; readonly path: string }[];
  /** How many more of them. Absent: none. */
  readonly driftedBeside?: number;
  /** Roots whose files were not looked at: no folder was bound there. Absent: all were. */
  readonly unlooked?: readonly string[];
  /** Later runs that manage a file that it restores. Absent: none known. */
  readonly laterRuns?: readonly string[];
  /** The person who asked for it gave it a grant. Absent: it has the remainder of its run's. */
  readonly granted?: true;
}

/** An action that is not taken back, and why. */
export interface LeftAction {
  readonly run: string;
  readonly turn: number;
  readonly key: string;
  readonly tool: string;
  readonly why: LeftReason;
  /**
   * The declaration of its tool; the attempt to take it back; or why no person was asked about it.
   */
  readonly reason?: string;
}

/**
 * Why an action is not taken back. Its tool has no compensation, or declares that there is none. It
 * is too late. Its result was erased. Its compensation is not here, or has other code than
 * declared, or may have acted before. Its own end is unknown. Its turn has no receipt. Its input
 * and result are larger than a rollback can hold. Its changes of files were not recorded.
 */
export const LEFT_REASONS = [
  "undeclared",
  "irreversible",
  "expired",
  "erased",
  "compensation-missing",
  "compensation-changed",
  "compensation-unknown",
  "abandoned",
  "unsealed",
  "too-large",
  "unrecorded",
] as const;
export type LeftReason = (typeof LEFT_REASONS)[number];

const isLeft = hasOnly(
  { run: isText, turn: isCount, key: isText, tool: isText, why: isOneOf(LEFT_REASONS) },
  { reason: isText },
);

export const isRollbackHead = hasOnly(
  { run: isText, toTurn: isCount, ordinal: isCount, left: isListOf(isLeft) },
  {
    ...{ later: isCount, leftBeside: isCount, driftedBeside: isCount },
    drifted: isListOf(hasOnly({ root: isText, path: isText })),
    ...{ unlooked: isListOf(isText), laterRuns: isListOf(isText) },
    granted: isTrue,
  },
);
