import { AMOUNT_MAX } from "./budget.ts";

/** What a model costs, in micro-units of money per million tokens. */
export interface ModelPrice {
  readonly inputMicrosPerMillion: number;
  readonly outputMicrosPerMillion: number;
  /** Of input that a cache of the provider held; where it is absent, as input. */
  readonly cacheReadMicrosPerMillion?: number;
  /** Of input that was put into one; where it is absent, as input. */
  readonly cacheWriteMicrosPerMillion?: number;
  /** Of thoughts; where it is absent, as output. */
  readonly reasoningMicrosPerMillion?: number;
}

/** Prices by `backend/model`, with the day they were taken. */
export interface PriceTable {
  readonly asOf: string;
  readonly models: Readonly<Record<string, ModelPrice>>;
}

/** Tokens by what they cost. Those of a cache are part of the input, thoughts of the output. */
export interface TokenCounts {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

/** A side of a request with a known maximum only. It costs the most that it can. */
export type UnknownSide = "input" | "output";

/** The price of so many tokens, rounded up; undefined when the table does not know the model. */
export function priceTokens(
  table: PriceTable,
  model: string,
  tokens: TokenCounts,
  unknown: readonly UnknownSide[] = [],
): number | undefined {
  const price = Object.hasOwn(table.models, model) ? table.models[model] : undefined;
  if (price === undefined) return undefined;
  const { inputMicrosPerMillion: input, outputMicrosPerMillion: output } = price;
  const { cacheReadMicrosPerMillion: read = input } = price;
  const { cacheWriteMicrosPerMillion: write = input } = price;
  const { reasoningMicrosPerMillion: thought = output } = price;
  const { cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = tokens;
  const inputTokens = (tokens.inputTokens ?? 0) - cacheReadTokens - cacheWriteTokens;
  const outputTokens = (tokens.outputTokens ?? 0) - reasoningTokens;
  const micros =
    inputTokens * (unknown.includes("input") ? Math.max(input, read, write) : input) +
    cacheReadTokens * read +
    cacheWriteTokens * write +
    outputTokens * (unknown.includes("output") ? Math.max(output, thought) : output) +
    reasoningTokens * thought;
  return Math.min(Math.ceil(micros / 1_000_000), AMOUNT_MAX);
}
