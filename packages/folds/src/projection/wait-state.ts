/** The state of a run about the waits of its flows. */
import type { BlobRef } from "@turnseal/protocol";

/** How many signals of one name the log keeps for a later wait. */
export const SIGNALS_KEPT_MAX = 1_000;

/** At how many bytes of their payloads together no further one is kept. */
export const SIGNALS_KEPT_BYTES_MAX = 32 * 1024 * 1024;

/** Where in the log signals stand that no wait has taken. */
export interface Heard {
  /** They stand after this sequence number. */
  readonly after: number;
  /** The sequence number of the latest. */
  readonly last: number;
  /** How many there are, with those that a wait has skipped. */
  readonly count: number;
  /** The bytes of their payloads. */
  readonly bytes: number;
}

export interface TurnWait {
  readonly for: "person" | "signal" | "time";
  /** ISO 8601: when to look again. */
  readonly until: string | null;
  /** ISO 8601: when a part of it goes on by itself, while another waits for a person. */
  readonly wakesAt?: string;
}

/** A wait of a flow that no signal has answered. */
export interface OpenWait {
  readonly sequence: number;
  readonly hash: string;
  readonly key: string;
  readonly call: string;
  readonly parentCall: string | null;
  /** Its path in its flow. */
  readonly path: string;
  /** The name of the signal. */
  readonly name: string;
  readonly askedAt: string;
  readonly decideBy: string;
  /** The schema of the signal's payload. */
  readonly request: BlobRef;
  /** True once the signals from before it were compared with it. */
  readonly isJudged?: true;
}
