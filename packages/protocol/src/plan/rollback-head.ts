/** What a rollback says of itself, before anybody decides on it (spec/rollback.md §3). */
import { hasOnly, isCount, isListOf, isOneOf, isText, isTrue } from "../shape.ts";

/** A run that is taken back to the end of a turn, and what of it is left as it is. */
export interface RollbackHead {
  readonly run: string;
  /** The last turn that is left as it is: 0 for the whole run. */
  readonly toTurn: number;
  /** Which rollback of the run it is, from 0. */
  readonly ordinal: number;
  readonly left: readonly LeftAction[];
  /** Earlier actions that it does not look at: the next rollback does. Absent: none. */
  readonly later?: number;
  /** Actions that are left beside those in `left`, which is bounded. Absent: none. */
  readonly leftBeside?: number;
  /** Files that are not what the run left, when it was asked for; they stay. Absent: none known. */
  readonly drifted?: readonly { readonly root: string; readonly path: string }[];
  /** How many more of them. Absent: none. */
  readonly driftedBeside?: number;
  /** Roots whose files were not looked at: no folder was bound there. Absent: all were. */
  readonly unlooked?: readonly string[];
  /** Later runs that manage a file that it puts back. Absent: none known. */
  readonly laterRuns?: readonly string[];
  /** Who asked for it gave it a grant. Absent: it has what its run had left. */
  readonly granted?: true;
}

/** An action that is not taken back, and why. */
export interface LeftAction {
  readonly run: string;
  readonly turn: number;
  readonly key: string;
  readonly tool: string;
  readonly why: LeftReason;
  /** What its tool says of it; what was tried to take it back; why nobody was asked about it. */
  readonly reason?: string;
}

/**
 * Why an action is not taken back: its tool declares nothing, or that nothing can; it is too late;
 * what it gave was erased; what was to take it back is not here, or is other code than was
 * declared, or may have acted before; nobody knows whether it happened; its turn has no receipt;
 * what it was given and gave is more than a rollback can hold; what it did to files was not
 * recorded.
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
