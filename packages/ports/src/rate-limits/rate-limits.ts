/**
 * Limits that hold for everybody who names them, in whatever process: how many are at it at once,
 * and how many have begun within a window.
 */

/** What is asked for. At least one of the two bounds is given. */
export interface LimitRequest {
  readonly name: string;
  /**
   * Who asks. Whoever was told to come back is known by it, and stands in line until then; it is no
   * claim to a lease that somebody of the same name holds.
   */
  readonly holder: string;
  /** How many leases of the name may be held at once. */
  readonly inFlight?: number;
  /** How many leases of the name may be taken in any stretch of time as long as the window. */
  readonly perWindow?: { readonly count: number; readonly windowMs: number };
  /** When the lease ends by itself: whoever held it may be gone. */
  readonly holdMs: number;
}

export type LimitAnswer =
  | {
      readonly kind: "taken";
      /** Gives the lease back. MUST return at once and MUST NOT throw; again, it does nothing. */
      release(): void;
      /**
       * Takes the request back, where nothing was done under the lease. It MUST NOT be held any
       * more, nor counted in the window. Whoever had it MUST keep the place in line, or MUST have
       * none where it is left. On the terms of `release`.
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
   * MUST NOT let more than `inFlight` leases of a name be held at once, by the clock it was given:
   * one that is released or whose time is over is held no more.
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

/** How many of a name stand in line for a window; the next ones are told to come after them. */
export const LINE_LENGTH_MAX = 1_000;
