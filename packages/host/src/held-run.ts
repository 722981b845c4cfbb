import type { Appender } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import type { HostPorts } from "./host-ports.ts";
import type { RunProjection } from "./projection/run-projection.ts";

/** A run in the hands of whoever holds its epoch: the one writer of its log, and its state. */
export interface Hold {
  readonly appender: Appender;
  readonly projection: () => RunProjection;
  /** What waited for the run when it was taken, where the store has said so. */
  readonly inbox?: readonly InboxRow[];
  /** Aborted when this attempt is over. */
  readonly attempt?: AbortSignal;
  /** Aborted when the run is to be left: nothing more is begun, and what acts may end. */
  readonly leave?: AbortSignal;
}

/** Held by whoever can carry it on. */
export interface HeldRun extends HostPorts, Hold {}

/** What it takes to hold a run, and to write what others told it. */
export type HoldingPorts = Pick<HostPorts, "stores" | "clock" | "ids" | "live">;
