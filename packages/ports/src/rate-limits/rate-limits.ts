/**
 * Limits for all processes that name them: how many actions run at once, and how many have begun
 * within a window.
 */

/** A request for a lease. It has at least one of the two bounds. */
export interface LimitRequest {
  readonly name: string;
  /**
   * The holder of the request. If it had to come back later, it keeps its place in line until then.
   * The name is no claim to a lease that another holder of the same name has.
   */
  readonly holder: string;
  /** How many leases of the name may be held at once. */
  readonly inFlight?: number;
  /** How many leases of the name may be taken in any stretch of time as long as the window. */
  readonly perWindow?: { readonly count: number; readonly windowMs: number };
  /** When the lease ends by itself: its holder may be gone. */
  readonly holdMs: number;
}

export type LimitAnswer =
  | {
      readonly kind: "taken";
      /** Gives the lease back. MUST return at once and MUST NOT throw; again, it does nothing. */
      release(): void;
      /**
       * Takes the request back, where nothing was done under the lease. It MUST NOT be held any
       * more, nor counted in the window. The holder MUST keep its place in line with `kept`, and
       * MUST have none with `left`. On the terms of `release`.
       */
      withdraw(place: "kept" | "left"): void;
    }
  /** There is none now; it makes sense to ask again at `retryAtMs`. */
  | { readonly kind: "full"; readonly retryAtMs: number }
  /** Nobody can tell. */
  | { readonly kind: "away" };

export interface RateLimits {
  /**
   * Takes a lease.
   * MUST NOT let more than `inFlight` leases of a name be held at once, by the clock it was given.
   * A lease that is released or expired is not held.
   * MUST NOT let more than `perWindow.count` leases of a name be taken within the window, whether
   * or not they were released.
   * MUST answer `full` with a time that is later than now, and not later than the end of what
   * stands in the way.
   * MUST answer `away`, and promptly, when it cannot tell; it MUST NOT reject.
   */
  take(request: LimitRequest): Promise<LimitAnswer>;
}

/** How soon to look again for a lease that others hold: they may give it back at any time. */
export const IN_FLIGHT_LOOK_MS = 1_000;

/** The length of the line for a window; the next ones come after them. */
export const LINE_LENGTH_MAX = 1_000;
