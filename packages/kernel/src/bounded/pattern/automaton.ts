import type { CodePoints } from "./code-points.ts";

export type AutomatonNode =
  | { readonly kind: "accept" }
  | CharacterStep
  | { readonly kind: "split"; readonly next: number; readonly other: number }
  /** Around a pass of a repetition that may be empty: an empty pass leads nowhere. */
  | { readonly kind: "begin" | "end"; readonly pass: number; readonly next: number }
  /** Passed where the condition holds, or where it does not. */
  | {
      readonly kind: "condition";
      readonly bit: number;
      readonly holds: boolean;
      readonly next: number;
    };

/** Consumes one character of a set. */
export interface CharacterStep {
  readonly kind: "character";
  readonly set: number;
  readonly next: number;
  /** Numbers the outermost endless repetition around it; 0 when there is none. */
  readonly loop: number;
}

/** A pattern, or the body of a lookaround, as small nodes of at most one character each. */
export interface Automaton {
  readonly nodes: readonly AutomatonNode[];
  readonly start: number;
  /** A backward automaton reads the text from its end. */
  readonly direction: "forward" | "backward";
  /** The conditions that its nodes ask for. */
  readonly conditions: number;
}

/** Conditions at a place in a text, as bits. Those from `lookaround` on are the lookarounds. */
export const CONDITION = { textStart: 1, textEnd: 2, wordEdge: 4, lookaround: 8 } as const;

/** The set of word characters, which `\b` needs, is in every program. */
export const WORD_SET = 0;

export interface Program {
  readonly main: Automaton;
  /** Where each lookaround holds; one comes after those inside it. */
  readonly lookarounds: readonly Automaton[];
  readonly sets: readonly CodePoints[];
}
