/**
 * Drives runs: advances them, and seals their turns. It has no authority of its own: the run's
 * grant says what a turn may do, and the kernel enforces it.
 */
import type { AdvanceOptions } from "../advance.ts";
import { bindHost, type HostOptions } from "../bind-host.ts";
import type { Advanced } from "../decide/advanced.ts";
import type { HostPorts } from "../host-ports.ts";
import { type Driven, driveNow, driveRun, stepRun } from "./drive-run.ts";
import { createHoldAlone, type DriveOptions } from "./hold-run-alone.ts";

export interface RunDriver {
  /**
   * Drives a run to where it waits or stops, or until its slice is over. It fences any other
   * caller: an engine calls it, once at a time for each run.
   */
  advance(run: string, options?: AdvanceOptions): Promise<Advanced>;
  /**
   * Drives a run until it stops or only a person can help; waits for times in between. A second
   * caller waits for the first and gets the same outcome, also where that is another process and
   * the store has leases. If that process is not done in time, the answer is blocked as `carried`.
   */
  drive(run: string, options?: DriveOptions): Promise<Advanced>;
  /**
   * Drives a run, and those that it hands to, as far as they go now, and returns when to look
   * again. It does not wait for another process.
   */
  driveNow(run: string, options?: DriveOptions): Promise<Driven>;
}

/** Binds loops, stores and a signer into a driver of runs. */
export function createRunDriver(options: HostOptions): RunDriver {
  return driverOf(bindHost(options));
}

/** The driver of a host that was bound before. */
export function driverOf(bound: HostPorts, holdAlone = createHoldAlone(bound)): RunDriver {
  const ports = { ...bound, holdAlone };
  return {
    advance: (run, options) => stepRun(run, ports, options),
    drive: (run, options) => driveRun(run, ports, options),
    driveNow: (run, options) => driveNow(run, ports, options),
  };
}
