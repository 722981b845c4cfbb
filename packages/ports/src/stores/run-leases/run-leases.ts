/**
 * Decides which process drives a run, where no engine does: one at a time, so that a second caller
 * waits for the outcome and takes no action away from the first.
 *
 * Safety never rests on a lease. The epoch in the log alone decides who writes.
 */
export interface RunLeases {
  /**
   * Takes the lease of a run, or says who holds it. Of several callers exactly one MUST be answered
   * `taken`. A caller whose process is alive MUST keep the lease until it releases it. The next
   * caller MUST get the lease of a process that has died: at once where the store can look at the
   * process, otherwise once it has been silent for `LEASE_SILENCE_MS`.
   *
   * With `force` the lease MUST be taken from any holder.
   */
  take(run: string, options?: { readonly force?: boolean }): Promise<LeaseAnswer>;
  /** The holder of a run's lease. MUST be undefined where `take` would be answered `taken`. */
  read(run: string): Promise<LeaseHolder | undefined>;
}

export type LeaseAnswer =
  | { readonly kind: "taken"; readonly lease: RunLease }
  | { readonly kind: "held"; readonly holder: LeaseHolder };

export interface RunLease {
  /** Gives the lease back. MUST NOT free the lease of another holder. */
  release(): Promise<void>;
}

/** A process that drives a run. */
export interface LeaseHolder {
  readonly pid: number;
  readonly machine: string;
  readonly takenAt: string;
  readonly heartbeatAt: string;
}

/** The interval of a holder's heartbeats. */
export const LEASE_HEARTBEAT_MS = 2_000;
/** A holder that has not said so for this long is silent: frozen, or out of reach. */
export const LEASE_SILENCE_MS = 10_000;
