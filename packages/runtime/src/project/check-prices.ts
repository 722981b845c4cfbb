import type { Model } from "@turnseal/ports";
import { listBackends, type PriceTable, priceTokens } from "@turnseal/protocol";
import type { Finding } from "./documents/finding.ts";
import { placeOf } from "./documents/source.ts";
import type { Target } from "./find-target.ts";
import { listReachable } from "./list-reachable.ts";
import { findSource } from "./load-loops.ts";

/** Finds every model that can come to be asked and has no price, before anything is spent. */
export function checkPrices(
  target: Target,
  models: Readonly<Record<string, Model>>,
  prices: PriceTable,
): Finding[] {
  return listReachable(target).flatMap((loop) => {
    const { definition } = loop;
    const source = findSource(target.loaded, loop);
    if (definition.kind !== "prompt" || source === undefined) return [];
    const names = listBackends(definition).map(({ id, model }) => {
      const bound = Object.hasOwn(models, id) ? models[id]?.defaultModel : undefined;
      return `${id}/${model ?? bound ?? "scripted"}`;
    });
    return names
      .filter((name) => priceTokens(prices, name, {}) === undefined)
      .map((name) => ({
        ...placeOf(source, "/backend"),
        rule: "price-missing" as const,
        path: "/backend",
        message: `the budget is in money, and no price is known for ${name} (${definition.id})`,
        mend: `give its price in a file with --prices, or leave moneyMicros out of the budget`,
      }));
  });
}
