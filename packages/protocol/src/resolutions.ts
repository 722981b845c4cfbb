import type { Actor } from "./actor.ts";

/** What can be said of a claim whose end was not recorded: a closed set, used in every surface. */
export const RESOLUTIONS = ["happened", "abandon", "never", "retry", "again", "orphaned"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** What a person can say of it once its run has stopped: nothing acts any more. */
export const LATE_RESOLUTIONS = ["happened", "never", "abandon"] as const;
export type LateResolution = (typeof LATE_RESOLUTIONS)[number];

export interface ResolutionFacts {
  readonly effect: unknown;
  readonly by: Actor["kind"];
}

/** True when `resolution` may be said of a claim with that declaration, by that actor. */
export function mayResolve(resolution: unknown, { effect, by }: ResolutionFacts): boolean {
  switch (resolution) {
    case "orphaned":
      return effect === "repeatable";
    case "again":
      return effect === "read" || effect === "idempotent";
    case "never":
      return effect === "reconcile";
    case "happened":
      return effect === "reconcile" || by === "person";
    case "retry":
    case "abandon":
      return by === "person";
    default:
      return false;
  }
}

/** True when `resolution` may be said once the run has stopped: by a person alone. */
export function mayResolveLate(resolution: unknown): resolution is LateResolution {
  return LATE_RESOLUTIONS.some((known) => known === resolution);
}

/** True when the same key may be claimed again, in place of the claim that is resolved so. */
export function keepsReservation(resolution: unknown): boolean {
  return resolution === "never" || resolution === "retry" || resolution === "again";
}
