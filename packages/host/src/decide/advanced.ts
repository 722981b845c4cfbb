/** Where a run stands after it was carried, and what whoever watches is told on the way. */
import type { TurnResult } from "@turnseal/kernel";
import type { LeaseHolder } from "@turnseal/ports";
import type { BlockCause, StopReason } from "@turnseal/protocol";
import type { RunProjection } from "../projection/run-projection.ts";
import type { StopDecision } from "./decide-stop.ts";
import type { Dues } from "./dues.ts";

/** What happened in a run, for whoever watches: told after it is durable. */
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
  /** What is missing, by name. */
  readonly what?: string;
  /** Since when; absent where the log does not say it. */
  readonly sinceMs?: number;
  /** When something that the run waits for runs out, whatever blocks it. */
  readonly atMs?: number;
  /** Who has what is missing: nothing was recorded, and the run goes on there. */
  readonly elsewhere?: Elsewhere;
  /** The process that drives the run, where that is why. */
  readonly holder?: LeaseHolder;
}

/** What becomes of a run that this worker cannot carry. */
export interface Leaving {
  /**
   * Finds the release that has what is missing here. Without one, the run is blocked, and its log
   * says so.
   */
  readonly findElsewhere?: (run: RunProjection) => Promise<string | undefined>;
  /** The release that has what is missing here, and of which no worker has answered. */
  readonly away?: string;
}

/** A release that can carry the run on, as long as the epoch has not passed. */
export interface Elsewhere {
  readonly release: string;
  readonly epoch: number;
}

/**
 * Why a run cannot go on as things are: a block, which another worker may not have, something that
 * is lost, or another process that drives it.
 */
export type Obstacle = BlockCause | "stale" | "content-erased" | "carried";
