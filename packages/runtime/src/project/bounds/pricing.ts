/** What the requests of a prompt cost at most. */
import { type LoopDef, listBackends, type PriceTable, priceTokens } from "@turnseal/protocol";

export interface Pricing {
  readonly prices: PriceTable;
  /** The model of a backend where a loop names none; undefined for one that has none. */
  readonly modelOf: (backend: string) => string | undefined;
}

/** The models that a prompt may be asked at, as prices name them. */
export function listPriceNames(definition: LoopDef, modelOf: Pricing["modelOf"]): string[] {
  if (definition.kind !== "prompt") return [];
  return listBackends(definition).map(
    ({ id, model }) => `${id}/${model ?? modelOf(id) ?? "scripted"}`,
  );
}

/** Models that a prompt may be asked at and that have no price. */
export function listUnpriced(definition: LoopDef, { prices, modelOf }: Pricing): string[] {
  return listPriceNames(definition, modelOf).filter(
    (name) => priceTokens(prices, name, {}) === undefined,
  );
}

/** One request at the dearest model; null where nothing bounds it but a budget. */
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
