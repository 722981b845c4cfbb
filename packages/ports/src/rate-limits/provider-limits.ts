/** An operator's limits for a provider of models, for all tenants together. */
import type { RateLimitSpec } from "@turnseal/protocol";
import type { RateLimits } from "./rate-limits.ts";

export interface ProviderLimits {
  /** Whom all tenants ask. */
  readonly rateLimits: RateLimits;
  /** The limits for a model, in the order in which leases are taken. */
  listFor(provider: string, model: string): readonly RateLimitSpec[];
}
