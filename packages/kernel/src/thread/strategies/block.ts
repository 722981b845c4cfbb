/**
 * The oldest entries of a thread, in one block, as many as have to go so that the rest has at most
 * half of the room.
 *
 * 1. A tool call is never parted from its results: what is left begins with words or an answer.
 * 2. Pending entries stay, and so does the answer whose results are pending.
 */
import type { ModelMessage } from "@turnseal/protocol";
import { REQUEST_FILE_BYTES_MAX } from "@turnseal/protocol/files";
import { estimateMessage, sumTokens } from "../../context/estimate-tokens.ts";
import { sumFileBytes } from "../../context/message-files.ts";
import type { Room, ThreadView } from "./strategy.ts";

/** The share of the room that is filled after entries were left out. */
const HALF = 0.5;

/** True when all that is shown now, and what is pending, is more than there is room for. */
export function isOverfull(thread: ThreadView, room: Room): boolean {
  const { tokens, fileBytes } = thread.size();
  const { kept } = thread.shown();
  return isOver(room, { tokens, fileBytes, extra: kept, count: countShown(thread) }, 1);
}

/**
 * How many entries go; `extras` are the messages that replace that many, and `reservedTokens` the
 * room for later ones.
 */
export function measureBlock(
  thread: ThreadView,
  room: Room,
  extras: (dropped: number) => readonly ModelMessage[],
  reservedTokens = 0,
): number {
  const entries = thread.entries();
  const most = countLoose(thread);
  const { tokens: all, fileBytes: allBytes } = thread.size();
  let [tokens, fileBytes] = [all + reservedTokens, allBytes];
  let dropped = 0;
  while (dropped < most) {
    const isBoundary = entries[dropped]?.message.role !== "tool";
    const count = countShown(thread) - dropped;
    const shown = { tokens, fileBytes, extra: extras(dropped), count };
    if (isBoundary && !isOver(room, shown, HALF)) break;
    const entry = entries[dropped];
    if (entry !== undefined) {
      tokens -= estimateMessage(entry.message);
      fileBytes -= sumFileBytes([entry.message]);
    }
    dropped += 1;
  }
  return dropped;
}

/** How many entries may go: not the answer whose results are pending, nor its results. */
export function countLoose(thread: ThreadView): number {
  const entries = thread.entries();
  if (thread.pending()[0]?.role !== "tool") return entries.length;
  return Math.max(
    0,
    entries.findLastIndex(({ message }) => message.role === "assistant"),
  );
}

function countShown(thread: ThreadView): number {
  return thread.entries().length + thread.pending().length;
}

interface Size {
  readonly tokens: number;
  readonly fileBytes: number;
  readonly extra: readonly ModelMessage[];
  readonly count: number;
}

function isOver(room: Room, { tokens, fileBytes, extra, count }: Size, share: number): boolean {
  return (
    Math.ceil((tokens + sumTokens(extra) + room.fixedTokens) * room.ratio) >
      room.tokensMax * share ||
    count > room.entriesMax * share ||
    fileBytes + sumFileBytes(extra) > REQUEST_FILE_BYTES_MAX * share
  );
}
