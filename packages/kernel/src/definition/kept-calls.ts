import type { KeptCalls, LoopDef } from "@turnseal/protocol";
import { CACHE_EPHEMERAL_MS_DEFAULT, CACHE_PERSISTENT_MS_DEFAULT } from "../limits.ts";

/** Where what calls of a loop gave is kept; undefined where it is not. */
export function keptCallsOf({ policy }: Pick<LoopDef, "policy">): KeptCalls | undefined {
  const strategy = policy?.cache?.strategy;
  return strategy === "none" ? undefined : strategy;
}

/** How long it may be used. */
export function keptMsOf({ policy }: Pick<LoopDef, "policy">): number {
  const { strategy, ttlMs } = policy?.cache ?? {};
  const usualMs =
    strategy === "persistent" ? CACHE_PERSISTENT_MS_DEFAULT : CACHE_EPHEMERAL_MS_DEFAULT;
  return ttlMs ?? usualMs;
}
