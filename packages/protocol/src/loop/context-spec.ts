/** A prompt's choice of how its thread is shown (spec/context.md §5). */
import type { LoopReference } from "./loop-reference.ts";

export const STRATEGIES = ["flat", "summary", "task-list", "task-tree", "none"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Strategies that show notes by their tasks; for a thread they do the same as `flat`. */
const TASK_STRATEGIES = ["task-list", "task-tree"] as const;
export type TaskStrategy = (typeof TASK_STRATEGIES)[number];
export const THREAD_STRATEGIES = ["flat", "summary", "none"] as const satisfies readonly Exclude<
  Strategy,
  TaskStrategy
>[];
export type ThreadStrategy = (typeof THREAD_STRATEGIES)[number];

export function isTaskStrategy(strategy: Strategy | undefined): strategy is TaskStrategy {
  return (TASK_STRATEGIES as readonly unknown[]).includes(strategy);
}

/** The part of a thread that is shown. Written by the author of the prompt, never by a model. */
export interface ContextSpec {
  readonly strategy: Strategy;
  /** With `flat`: the most entries that are shown at once. */
  readonly last?: number;
  /** With `summary`: the share of the window from which on the oldest entries are summarised. */
  readonly share?: number;
  /** With `summary`: the loop that summarises, instead of the built-in one. */
  readonly summarizer?: LoopReference;
}
