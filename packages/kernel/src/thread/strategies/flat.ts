/**
 * The strategy `flat`: when all entries are too many, it drops the oldest from view, in one block,
 * down to half of the room. So most requests only add to the one before, and providers can keep
 * what they have read.
 *
 * 1. A tool call is never parted from its results: what is shown begins with words or an answer.
 * 2. The newest words of the user are always shown, and so is what is pending.
 * 3. After a request that the provider refused to read, all is left out but these.
 * 4. A summary of what came before stays where it is.
 */
import { isPlainObject, type JsonValue, type ModelMessage } from "@turnseal/protocol";
import { TOOL_ASK_ERRORS } from "@turnseal/protocol/trace";
import { countLoose, isOverfull, measureBlock } from "./block.ts";
import { findSummary, openWords } from "./newest-words.ts";
import type { ShowEntries, ThreadView } from "./strategy.ts";

/** Leaves out the oldest entries; undefined if all have room. */
export const showFlat: ShowEntries = (thread, head, room) => {
  const { from, summarized } = thread.shown();
  const isRefused = thread.isRefused();
  if (!isRefused && !isOverfull(thread, room)) return undefined;
  const summary = isRefused ? undefined : findSummary(thread);
  const before = summary === undefined ? [] : [summary];
  const keepWords = openWords(thread);
  const extras = (dropped: number): ModelMessage[] => {
    const count = from + dropped - (summary === undefined ? 0 : (summarized?.to ?? 0));
    const note = noteLeftOut(count, isRefused ? listCalled(thread, dropped) : []);
    const marked: ModelMessage = summary === undefined ? note : { ...note, origin: "note" };
    return [...before, marked, ...keepWords(from + dropped)];
  };
  const dropped = isRefused ? countLoose(thread) : measureBlock(thread, room, extras);
  if (dropped === 0) return undefined;
  const shown = { head, kept: extras(dropped), from: from + dropped };
  return summary === undefined || summarized === undefined ? shown : { ...shown, summarized };
};

type UserMessage = Extract<ModelMessage, { readonly role: "user" }>;

/** It says so to the model, and is no word of the user. */
function noteLeftOut(count: number, called: readonly string[]): UserMessage {
  const note = `${count} earlier entries of this conversation were left out to make room.`;
  // A model that does not see earlier calls would repeat them.
  const done = `In them these tools were called: ${called.join(", ")}.`;
  return { role: "user", text: called.length === 0 ? `[${note}]` : `[${note} ${done}]` };
}

/** The tools that were called in the first entries, each once, the latest. */
function listCalled(thread: ThreadView, count: number): string[] {
  const names = thread
    .entries()
    .slice(0, count)
    .flatMap(({ message }) =>
      message.role === "tool" && !isAskedInVain(message.result) ? [message.toolName] : [],
    );
  return [...new Set(names.toReversed())].slice(0, CALLED_MAX).toReversed();
}

/** True where no tool was called, and the name is what the model made up. */
function isAskedInVain(result: JsonValue): boolean {
  return isPlainObject(result) && (TOOL_ASK_ERRORS as readonly unknown[]).includes(result["error"]);
}

/** Tools that a note names. */
const CALLED_MAX = 16;
