import type { RunProjection } from "@turnseal/folds";
import type { Appender } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import type { HostPorts } from "../host-ports.ts";

/** A run whose epoch this worker has: it is the one writer of its log, and knows its state. */
export interface Hold {
  readonly appender: Appender;
  readonly projection: () => RunProjection;
  /** The inbox at the moment when the run was taken, if the store returned it. */
  readonly inbox?: readonly InboxRow[];
  /** Aborted when this attempt is over. */
  readonly attempt?: AbortSignal;
  /** Aborted to leave the run: nothing more begins, and running actions may end. */
  readonly leave?: AbortSignal;
}

/** A run held by a worker that can drive it. */
export interface HeldRun extends HostPorts, Hold {}

/** The ports that hold a run, and write its messages to the log. */
export type HoldingPorts = Pick<HostPorts, "stores" | "clock" | "ids" | "live">;
