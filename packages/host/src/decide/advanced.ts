/** Where a run stands after an advance, and the progress reported on the way. */

import type { RunProjection, StopDecision } from "@turnseal/folds";
import type { TurnResult } from "@turnseal/kernel";
import type { LeaseHolder } from "@turnseal/ports";
import type { Obstacle, StopReason } from "@turnseal/protocol";
import type { Dues } from "./dues.ts";

/** Progress of a run for a watcher, reported once it is durable. */
export type Progress =
  | {
      readonly kind: "turn";
      readonly turn: number;
      readonly result: TurnResult;
      readonly decision: StopDecision | undefined;
      readonly projection: RunProjection;
    }
  | { readonly kind: "stopped"; readonly reason: StopReason; readonly projection: RunProjection };

export type Advanced =
  | { readonly dues: Dues; readonly projection: RunProjection }
  /** With its state where the log can be read. */
  | { readonly dues: Blocked; readonly projection?: RunProjection };

/** The run is left as it was. */
export interface Blocked {
  readonly kind: "blocked";
  readonly why: Obstacle;
  /** The missing part, by name. */
  readonly what?: string;
  /** Since when; absent if the log does not say it. */
  readonly sinceMs?: number;
  /** When the wait of the run expires, also while it is blocked. */
  readonly atMs?: number;
  /** The worker that has what is missing: nothing was recorded, and the run continues there. */
  readonly elsewhere?: Elsewhere;
  /** The process that drives the run, where that is why. */
  readonly holder?: LeaseHolder;
}

/** Options for a run that this worker cannot drive. */
export interface Leaving {
  /**
   * Finds the release that has what is missing here. Without one, the run is blocked, and its log
   * says so.
   */
  readonly findElsewhere?: (run: RunProjection) => Promise<string | undefined>;
  /** The release that has the missing part, and of which no worker has answered. */
  readonly away?: string;
}

/** A release that can drive the run, as long as the epoch has not passed. */
export interface Elsewhere {
  readonly release: string;
  readonly epoch: number;
}
