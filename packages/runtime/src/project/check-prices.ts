import { type Finding, placeOf } from "@turnseal/documents";
import type { Model } from "@turnseal/ports";
import type { PriceTable } from "@turnseal/protocol";
import { listUnpriced } from "./bounds/pricing.ts";
import type { Target } from "./loops/find-target.ts";
import { listInvolved } from "./loops/list-reachable.ts";
import { findSource } from "./loops/load-loops.ts";

/** Finds every model of a loop without a price, before anything is spent. */
export function checkPrices(
  target: Target,
  models: Readonly<Record<string, Model>>,
  prices: PriceTable,
): Finding[] {
  return listInvolved(target).flatMap((loop) => {
    const { definition } = loop;
    const source = findSource(target.loaded, loop);
    if (source === undefined) return [];
    const modelOf = (id: string) =>
      Object.hasOwn(models, id) ? models[id]?.defaultModel : undefined;
    return listUnpriced(definition, { prices, modelOf }).map((name) => ({
      ...placeOf(source, "/backend"),
      rule: "price-missing" as const,
      path: "/backend",
      message: `the budget is in money, and no price is known for ${name} (${definition.id})`,
      mend: `give its price in a file with --prices, or leave moneyMicros out of the budget`,
    }));
  });
}
