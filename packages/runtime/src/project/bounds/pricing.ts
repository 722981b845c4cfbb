/** The most that requests of a prompt cost. */
import { type LoopDef, listBackends, type PriceTable, priceTokens } from "@turnseal/protocol";

export interface Pricing {
  readonly prices: PriceTable;
  /** The model of a backend for a loop that names none; undefined if it has none. */
  readonly modelOf: (backend: string) => string | undefined;
}

/** The models of a prompt, by their names in the price table. */
export function listPriceNames(definition: LoopDef, modelOf: Pricing["modelOf"]): string[] {
  if (definition.kind !== "prompt") return [];
  return listBackends(definition).map(
    ({ id, model }) => `${id}/${model ?? modelOf(id) ?? "scripted"}`,
  );
}

/** Models of a prompt without a price. */
export function listUnpriced(definition: LoopDef, { prices, modelOf }: Pricing): string[] {
  return listPriceNames(definition, modelOf).filter(
    (name) => priceTokens(prices, name, {}) === undefined,
  );
}

/** One request at the dearest model; null if nothing bounds it but a budget. */
export function priceRequest(
  definition: LoopDef,
  tokens: { readonly inputTokens: number | null; readonly outputTokens: number },
  { prices, modelOf }: Pricing,
): number | null {
  const { inputTokens, outputTokens } = tokens;
  if (inputTokens === null) return null;
  const costs = listPriceNames(definition, modelOf).map((name) =>
    priceTokens(prices, name, { inputTokens, outputTokens }, ["input", "output"]),
  );
  return costs.reduce<number | null>(
    (most, cost) => (most === null || cost === undefined ? null : Math.max(most, cost)),
    0,
  );
}
