import type { FindingCode, PublicKey, RunBundle } from "@turnseal/protocol/receipts";

/** One bundle that somebody changed, and the keys it is verified with. */
export interface Attempt {
  readonly bundle: unknown;
  readonly keys: readonly PublicKey[];
  /** The one receipt that was changed, where nothing else was. */
  readonly receipt?: string;
}

/** A way to change a run, and how it is found out. */
export interface Attack {
  readonly name: string;
  /** One of these is among the findings of every attempt. */
  readonly codes: readonly FindingCode[];
  readonly attempts: Iterable<Attempt>;
}

/** A run of the vectors that is valid as it is. */
export interface SealedRun {
  readonly bundle: Omit<RunBundle, "events"> & { readonly events: readonly SealedEvent[] };
  readonly keys: readonly PublicKey[];
  /** The last event that a receipt vouches for. */
  readonly sealedUntil: number;
}

/** As much of an event as is changed here. */
export interface SealedEvent {
  readonly sequence: number;
  readonly type: string;
  readonly previous: string;
  readonly hash: string;
}
