/** What the state of a run says of what its flows wait for. */
import type { BlobRef } from "@turnseal/protocol";

/** Where in the log signals stand that no wait has taken. */
export interface Heard {
  /** They stand after this sequence number. */
  readonly after: number;
  /** The sequence number of the latest. */
  readonly last: number;
}

export interface TurnWait {
  readonly for: "person" | "signal" | "time";
  /** ISO 8601: when to look again. */
  readonly until: string | null;
  /** ISO 8601: when a part of it goes on by itself, while another waits for somebody. */
  readonly wakesAt?: string;
}

/** A wait of a flow that no signal has answered. */
export interface OpenWait {
  readonly sequence: number;
  readonly hash: string;
  readonly key: string;
  readonly call: string;
  readonly parentCall: string | null;
  /** Where it stands in its flow. */
  readonly path: string;
  /** The name of the signal. */
  readonly name: string;
  readonly askedAt: string;
  readonly decideBy: string;
  /** What a signal has to bring. */
  readonly request: BlobRef;
}
