/** The prices of the providers: for their own count, and for a host. */
import type { PriceTable } from "@turnseal/protocol";
import type { TokenPrices } from "./provider-cache.ts";
import { PROVIDERS, type Provider, WIRES } from "./wires.ts";

/** In micro-units of money for one token. */
export const PRICES: Readonly<Record<Provider, TokenPrices>> = {
  openai: { input: 2.5, cacheRead: 1.25, cacheWrite: 2.5, output: 10 },
  anthropic: { input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 5 },
};

const MILLION = 1_000_000;

export const PRICE_TABLE: PriceTable = {
  asOf: "2026-01-01",
  models: Object.fromEntries(
    PROVIDERS.map((provider) => {
      const { input, cacheRead, cacheWrite, output } = PRICES[provider];
      const price = {
        inputMicrosPerMillion: input * MILLION,
        cacheReadMicrosPerMillion: cacheRead * MILLION,
        cacheWriteMicrosPerMillion: cacheWrite * MILLION,
        outputMicrosPerMillion: output * MILLION,
      };
      return [`${provider}/${WIRES[provider].model}`, price];
    }),
  ),
};
