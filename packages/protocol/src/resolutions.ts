import type { Actor } from "./actor.ts";

/** The resolutions of a claim whose end was not recorded: a closed set, used in every surface. */
export const RESOLUTIONS = ["happened", "abandon", "never", "retry", "again", "orphaned"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** The resolutions by a person once its run has stopped: nothing acts any more. */
export const LATE_RESOLUTIONS = ["happened", "never", "abandon"] as const;
export type LateResolution = (typeof LATE_RESOLUTIONS)[number];

export interface ResolutionFacts {
  readonly effect: unknown;
  readonly by: Actor["kind"];
}

/** True if this actor may resolve a claim with that declared effect in this way. */
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

/** True for a resolution that is possible once the run has stopped: by a person alone. */
export function mayResolveLate(resolution: unknown): resolution is LateResolution {
  return LATE_RESOLUTIONS.some((known) => known === resolution);
}

/** True if the same key may be claimed again, to replace the claim that was resolved this way. */
export function keepsReservation(resolution: unknown): boolean {
  return resolution === "never" || resolution === "retry" || resolution === "again";
}
