/** What a prompt says of how its thread is shown (spec/context.md §5). */

export const STRATEGIES = ["flat", "none"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** What of a thread is shown. Written by the author of the prompt, never by a model. */
export interface ContextSpec {
  readonly strategy: Strategy;
  /** With `flat`: the most entries that are shown at once. */
  readonly last?: number;
}
