import type { PriceTable } from "@turnseal/protocol";
import type { LoadedLoops } from "../loops/load-loops.ts";
import type { Pricing } from "./pricing.ts";

/** Prices for a folder of loops, before any model of it is bound. */
export async function createPricing(
  { models }: Pick<LoadedLoops, "models">,
  prices: PriceTable,
): Promise<Pricing> {
  const { ENVIRONMENT_BACKENDS } = await import("@turnseal/adapters/models");
  const shipped = new Map(ENVIRONMENT_BACKENDS.map(({ id, defaultModel }) => [id, defaultModel]));
  return {
    prices,
    modelOf: (backend) =>
      (models.get(backend) ?? { defaultModel: shipped.get(backend) }).defaultModel,
  };
}
