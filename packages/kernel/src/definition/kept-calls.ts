import type { CacheSpec, KeptCalls, LoopDef } from "@turnseal/protocol";
import { CACHE_EPHEMERAL_MS_DEFAULT, CACHE_PERSISTENT_MS_DEFAULT } from "../limits.ts";

/** The cache for results of a loop; undefined without one. */
export function keptCallsOf({ policy }: Pick<LoopDef, "policy">): KeptCalls | undefined {
  return keptAs(policy?.cache);
}

/** Where a cache keeps what calls gave; undefined for `none`. */
export function keptAs(cache: CacheSpec | undefined): KeptCalls | undefined {
  const strategy = cache?.strategy;
  return strategy === "none" ? undefined : strategy;
}

/** How long it may be used. */
export function keptMsOf({ strategy, ttlMs }: CacheSpec): number {
  const usualMs =
    strategy === "persistent" ? CACHE_PERSISTENT_MS_DEFAULT : CACHE_EPHEMERAL_MS_DEFAULT;
  return ttlMs ?? usualMs;
}
