import type { Bounds } from "./compute-bounds.ts";

/** The bounds of a run of at most `turns` turns. */
export function multiplyTurns<Of extends Bounds & { readonly activeMs: number }>(
  { modelCalls, toolCalls, inputTokens, outputTokens, activeMs }: Of,
  turns: number,
): Bounds & { readonly turns: number; readonly activeMs: number } {
  const multiply = (amount: number): number => Math.min(amount * turns, Number.MAX_SAFE_INTEGER);
  return {
    turns,
    modelCalls: multiply(modelCalls),
    toolCalls: multiply(toolCalls),
    inputTokens: inputTokens === null ? null : multiply(inputTokens),
    outputTokens: multiply(outputTokens),
    activeMs: multiply(activeMs),
  };
}
