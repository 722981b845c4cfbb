/** A prompt's choices about its notes (spec/context.md §10). */

/** How the notes of a call stand to those of its caller. */
export const SCOPE_MODES = ["isolated", "shared", "inherited"] as const;
export type ScopeMode = (typeof SCOPE_MODES)[number];

/** The lifetimes that are named; the other is a number of rounds. */
export const NAMED_LIFETIMES = ["manual", "on-done", "on-subtask-done"] as const;

/** A note that a call begins with. */
export interface NoteSpec {
  readonly key: string;
  readonly text: string;
  readonly lifetime?: (typeof NAMED_LIFETIMES)[number];
  /** Instead of a lifetime: how many requests show it. */
  readonly rounds?: number;
}

const keyPattern = /^[\p{L}\p{N}_-]{1,32}$/u;

/** True for what a note can be called: 1 to 32 letters, digits, `-` and `_`. */
export function isNoteKey(key: string): boolean {
  return keyPattern.test(key);
}
