/**
 * A strategy decides which entries of a thread are shown from the next request on.
 *
 * 1. It is a pure function of the entries, their estimates and the room: a resume comes to the
 *    same.
 * 2. It answers undefined where all that is shown now is shown again: then the request is the one
 *    before it with something at its end.
 * 3. It leaves out the oldest entries, in one block. They stay in the log.
 */
import type { ModelMessage } from "@turnseal/protocol";
import type { ShownEntries, Thread } from "../thread.ts";

/** The part of a thread that a strategy reads. */
export type ThreadView = Pick<Thread, "entries" | "pending" | "shown" | "size" | "isRefused">;

export interface Room {
  /** The most tokens that a request may have. */
  readonly tokensMax: number;
  /** The most entries that it may show. */
  readonly entriesMax: number;
  /** Tokens of the settings and of the messages before the entries. */
  readonly fixedTokens: number;
  /** How many real tokens there are in an estimated one. */
  readonly ratio: number;
  /** The number of the first entry of the call that asks. */
  readonly callFrom: number;
}

export type ShowEntries = (
  thread: ThreadView,
  head: readonly ModelMessage[],
  room: Room,
) => ShownEntries | undefined;
