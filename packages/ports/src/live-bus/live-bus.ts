/**
 * What is being written right now, for whoever watches: pieces of messages and of tool output, on
 * their way and never stored. The log has every message whole; a bus that is away loses nothing
 * but the sight of it coming.
 */

/** A message, or a tool's output, while it is being written. */
export interface LiveMessage {
  readonly run: string;
  readonly turn: number;
  readonly kind: "text" | "reasoning" | "tool-output";
  /** The key of the action that writes it, and which part of the answer this is. */
  readonly key: string;
  readonly part: number;
  /** The attempt: one that begins again begins its text again, and the earlier one is void. */
  readonly epoch: number;
}

export interface LiveDelta extends LiveMessage {
  /** How many characters came before this piece. */
  readonly offset: number;
  readonly text: string;
}

/** MUST NOT throw; if it does, whoever publishes MUST NOT notice. */
export interface LiveListener {
  delta(delta: LiveDelta): void;
  /** The run's log has grown. */
  moved(): void;
}

export interface LiveBus {
  /**
   * Tells a piece to whoever watches the run. MUST return at once and MUST NOT throw, also when the
   * bus is away: then the piece is lost. Pieces of one message MUST be told in order.
   */
  publish(delta: LiveDelta): void;
  /** The run's log has grown. MUST return at once and MUST NOT throw; MAY be lost. */
  moved(run: string): void;
  /** The message is in the log now: those who join later read it there. */
  finish(message: Pick<LiveMessage, "run" | "key">): void;
  /**
   * Watches a run. What has been written of messages that are not finished MUST be told first, as
   * pieces from offset zero; every later piece MUST follow once, in order.
   */
  watch(run: string, listener: LiveListener): LiveWatch;
}

export interface LiveWatch {
  /** Resolves when nothing that is published from now on is missed. */
  readonly ready: Promise<void>;
  close(): void;
}
