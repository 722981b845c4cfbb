/** What a prompt says of how its thread is shown (spec/context.md §5). */
import type { LoopReference } from "./loop-reference.ts";

export const STRATEGIES = ["flat", "summary", "none"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** What of a thread is shown. Written by the author of the prompt, never by a model. */
export interface ContextSpec {
  readonly strategy: Strategy;
  /** With `flat`: the most entries that are shown at once. */
  readonly last?: number;
  /** With `summary`: the share of the window from which on the oldest entries are summarised. */
  readonly share?: number;
  /** With `summary`: the loop that summarises, in place of the one that comes with the runtime. */
  readonly summarizer?: LoopReference;
}
