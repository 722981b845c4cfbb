import { AMOUNT_MAX, type Amounts } from "./budget.ts";

/** What a model costs, in micro-units of money per million tokens. */
export interface ModelPrice {
  readonly inputMicrosPerMillion: number;
  readonly outputMicrosPerMillion: number;
}

/** Prices by `backend/model`, with the day they were taken. */
export interface PriceTable {
  readonly asOf: string;
  readonly models: Readonly<Record<string, ModelPrice>>;
}

/** The price of so many tokens, rounded up; undefined when the table does not know the model. */
export function priceTokens(
  table: PriceTable,
  model: string,
  { inputTokens = 0, outputTokens = 0 }: Amounts,
): number | undefined {
  const price = Object.hasOwn(table.models, model) ? table.models[model] : undefined;
  if (price === undefined) return undefined;
  const { inputMicrosPerMillion, outputMicrosPerMillion } = price;
  const micros = inputTokens * inputMicrosPerMillion + outputTokens * outputMicrosPerMillion;
  return Math.min(Math.ceil(micros / 1_000_000), AMOUNT_MAX);
}
