/** Where what calls gave is kept: nowhere, in the memory of a worker, or in the store. */
export const CACHE_STRATEGIES = ["none", "ephemeral", "persistent"] as const;
export type CacheStrategy = (typeof CACHE_STRATEGIES)[number];

export interface CacheSpec {
  readonly strategy: CacheStrategy;
  /** How long it may be used. */
  readonly ttlMs?: number;
}
