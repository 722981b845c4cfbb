/** Pieces of messages and tool outputs on their way: shown live, never stored. */

/** A message, or a tool's output, while it is being written. */
export interface LiveMessage {
  readonly run: string;
  readonly turn: number;
  readonly kind: "text" | "reasoning" | "tool-output";
  /** The key of the action that writes it, and which part of the answer this is. */
  readonly key: string;
  readonly part: number;
  /** The attempt: a new one begins its text again, and the earlier one is void. */
  readonly epoch: number;
}

export interface LiveDelta extends LiveMessage {
  /** How many characters came before this piece. */
  readonly offset: number;
  readonly text: string;
}
