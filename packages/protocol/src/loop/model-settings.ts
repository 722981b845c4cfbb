/** How a prompt wants its model to answer (spec/loop.md §2.11). */
import type { JsonObject } from "../canonical-json.ts";
import type { LoopReference } from "./loop-reference.ts";

/** A prompt's settings for its model. Written by its author, never by a model. */
export interface ModelSettings {
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  /** Texts at which the model stops writing. */
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** Whether the model may ask for tools, must, or must ask for this one. */
  readonly toolChoice?: ToolChoice;
  readonly reasoning?: Reasoning;
  /** Options of one provider, by its name. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
}

export const TOOL_CHOICES = ["auto", "none", "required"] as const;
export type ToolChoice = (typeof TOOL_CHOICES)[number] | LoopReference;

export const REASONING_EFFORTS = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** How much a model thinks before it answers. */
export type Reasoning =
  | { readonly effort: ReasoningEffort; readonly budgetTokens?: never }
  | { readonly budgetTokens: number; readonly effort?: never };

/**
 * The most tokens of thoughts that an effort may cost beyond the limit of the output. Some
 * providers turn it into a share of the largest answer of their model, 64,000 tokens.
 */
export const EFFORT_TOKENS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1_280,
  low: 6_400,
  medium: 19_200,
  high: 38_400,
  xhigh: 57_600,
  max: 60_800,
};

/** The most tokens that thoughts may cost beside the limit of the output. */
export function reasoningTokensMax(reasoning: Reasoning | undefined): number {
  if (reasoning === undefined) return 0;
  return reasoning.effort === undefined ? reasoning.budgetTokens : EFFORT_TOKENS[reasoning.effort];
}
