/**
 * The strategy `flat`: which entries of a thread are no longer shown, where all are too many: the
 * oldest, in one block, down to half of what may be shown. So most requests only add to the one
 * before, and providers can keep what they have read.
 *
 * 1. A tool call is never parted from its results: what is shown begins with words or an answer.
 * 2. The newest words of the user are always shown, and so is what is pending.
 * 3. After a request that the provider refused to read, all is left out but these.
 */
import type { ModelMessage } from "@turnseal/ports";
import { REQUEST_FILE_BYTES_MAX } from "@turnseal/protocol/files";
import { estimateMessage } from "../../context/estimate-tokens.ts";
import { sumFileBytes } from "../../context/message-files.ts";
import type { ShowEntries, ThreadView } from "./strategy.ts";

/** What is shown after the oldest entries were left out, or undefined where all have room. */
export const showFlat: ShowEntries = (thread, head, room) => {
  const entries = thread.entries();
  const { from, kept } = thread.shown();
  let { tokens, fileBytes } = thread.size();
  const isOver = (extra: readonly ModelMessage[], count: number, share: number): boolean =>
    Math.ceil((tokens + sumTokens(extra) + room.fixedTokens) * room.ratio) >
      room.tokensMax * share ||
    count > room.entriesMax * share ||
    fileBytes + sumFileBytes(extra) > REQUEST_FILE_BYTES_MAX * share;
  const isRefused = thread.isRefused();
  if (!isRefused && !isOver(kept, entries.length + thread.pending().length, 1)) return undefined;

  const newest = findWords(thread);
  let dropped = 0;
  const extras = (): ModelMessage[] => {
    const isShown = newest === undefined || newest.number >= from + dropped;
    return [noteLeftOut(from + dropped), ...(isShown ? [] : [newest.message])];
  };
  const most = countLoose(thread);
  while (dropped < most) {
    const left = entries.length - dropped + thread.pending().length;
    const isBoundary = entries[dropped]?.message.role !== "tool";
    if (!isRefused && isBoundary && !isOver(extras(), left, HALF)) break;
    const entry = entries[dropped];
    if (entry !== undefined) {
      tokens -= estimateMessage(entry.message);
      fileBytes -= sumFileBytes([entry.message]);
    }
    dropped += 1;
  }
  return dropped === 0 ? undefined : { head, kept: extras(), from: from + dropped };
};

/** How many entries may go: not the answer whose results are pending, nor its results. */
function countLoose(thread: ThreadView): number {
  const entries = thread.entries();
  if (thread.pending()[0]?.role !== "tool") return entries.length;
  return Math.max(
    0,
    entries.findLastIndex(({ message }) => message.role === "assistant"),
  );
}

/** What is shown after entries were left out, as a share of what may be. */
const HALF = 0.5;

/** The newest words, with their number; undefined where newer ones are pending. */
function findWords(thread: ThreadView): { number: number; message: ModelMessage } | undefined {
  if (thread.pending().some(isWords)) return undefined;
  const { from, kept } = thread.shown();
  const index = thread.entries().findLastIndex(({ message }) => isWords(message));
  const shown = thread.entries()[index]?.message;
  if (shown !== undefined) return { number: from + index, message: shown };
  // After the note that says so.
  const [, message] = kept;
  return message === undefined ? undefined : { number: -1, message };
}

/** What the runtime says in the role of the user, or copies into it, are none. */
function isWords(message: ModelMessage): boolean {
  return message.role === "user" && message.origin === undefined;
}

/** It says so to the model, and is no word of the user. */
function noteLeftOut(count: number): ModelMessage {
  const text = `[${count} earlier entries of this conversation were left out to make room.]`;
  return { role: "user", text };
}

function sumTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}
