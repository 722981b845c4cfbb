import type { Bounds } from "./bounds.ts";

/** The bounds of a run of at most `turns` turns. */
export function multiplyTurns<Of extends Bounds & { readonly activeMs: number }>(
  { calls, modelCalls, toolCalls, inputTokens, outputTokens, waits, events, activeMs }: Of,
  turns: number,
): Bounds & { readonly turns: number; readonly activeMs: number } {
  const multiply = (amount: number): number => Math.min(amount * turns, Number.MAX_SAFE_INTEGER);
  return {
    turns,
    calls: multiply(calls),
    modelCalls: multiply(modelCalls),
    toolCalls: multiply(toolCalls),
    inputTokens: inputTokens === null ? null : multiply(inputTokens),
    outputTokens: multiply(outputTokens),
    waits: multiply(waits),
    events: multiply(events),
    activeMs: multiply(activeMs),
  };
}
