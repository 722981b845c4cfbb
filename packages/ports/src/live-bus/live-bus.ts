/**
 * Live output for watchers: pieces of messages and of tool output, on their way and never stored.
 * The log has every message whole; without the bus only the live view is lost.
 */

import type { LiveDelta, LiveMessage } from "@turnseal/protocol/streaming";

/** MUST NOT throw; if it does, the publisher MUST NOT notice. */
export interface LiveListener {
  delta(delta: LiveDelta): void;
  /** The run's log has grown. */
  moved(): void;
}

export interface LiveBus {
  /**
   * Sends a piece to the watchers of the run. MUST return at once and MUST NOT throw, also when the
   * bus is away: then the piece is lost. Pieces of one message MUST arrive in order.
   */
  publish(delta: LiveDelta): void;
  /** The run's log has grown. MUST return at once and MUST NOT throw; MAY be lost. */
  moved(run: string): void;
  /** The message is in the log now: those who join later read it there. */
  finish(message: Pick<LiveMessage, "run" | "key">): void;
  /**
   * Watches a run. The written parts of unfinished messages MUST come first, as pieces from offset
   * zero; every later piece MUST follow once, in order.
   */
  watch(run: string, listener: LiveListener): LiveWatch;
}

export interface LiveWatch {
  /** Resolves when nothing that is published from now on is missed. */
  readonly ready: Promise<void>;
  close(): void;
}
