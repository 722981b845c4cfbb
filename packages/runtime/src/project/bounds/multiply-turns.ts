import type { Counts } from "./bounds.ts";

/** The bounds of a run of at most `turns` turns. */
export function multiplyTurns<Of extends Counts & { readonly activeMs: number }>(
  { calls, modelCalls, toolCalls, inputTokens, outputTokens, moneyMicros, ...rest }: Of,
  turns: number,
): Counts & { readonly turns: number; readonly activeMs: number } {
  const multiply = (amount: number): number => Math.min(amount * turns, Number.MAX_SAFE_INTEGER);
  return {
    turns,
    calls: multiply(calls),
    modelCalls: multiply(modelCalls),
    toolCalls: multiply(toolCalls),
    inputTokens: inputTokens === null ? null : multiply(inputTokens),
    outputTokens: multiply(outputTokens),
    moneyMicros: moneyMicros === null ? null : multiply(moneyMicros),
    waits: multiply(rest.waits),
    events: multiply(rest.events),
    activeMs: multiply(rest.activeMs),
  };
}
