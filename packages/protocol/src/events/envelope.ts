/** The fields of every event beside its content (spec/events.md §2). */
import type { Actor } from "../actor.ts";

/**
 * The place of an event in its log.
 *
 * 1. `sequence` counts from one without gaps. `previous` is the hash of the event before, empty for
 *    the first.
 * 2. `hash` is the SHA-256 of the canonical event without `hash`. The epoch is inside, so two
 *    writers never make equal hashes.
 */
export interface Envelope {
  readonly id: string;
  readonly run: string;
  readonly sequence: number;
  readonly epoch: number;
  /** ISO 8601 in UTC with milliseconds. Never earlier than the event before it. */
  readonly at: string;
  readonly actor: Actor;
  readonly previous: string;
  readonly hash: string;
}

/** The place of an event of a run that may be between two turns: then it has no turn. */
export interface OfRun {
  /** The turn's number, from one. */
  readonly turn?: number;
  readonly call?: never;
  readonly parentCall?: never;
}

/** The place of an event of a turn. */
export interface OfTurn {
  readonly turn: number;
  readonly call?: never;
  readonly parentCall?: never;
}

/** The place of an event in a call of a turn. */
export interface OfCall {
  readonly turn: number;
  readonly call: string;
  /** The call above it; absent for the root call of the turn. */
  readonly parentCall?: string;
}
