import type { ModelMessage } from "@turnseal/protocol";
import type { ThreadView } from "./strategy.ts";

/** Answers with the newest words of the user, where what is shown begins after them. */
export function openWords(thread: ThreadView): (from: number) => readonly ModelMessage[] {
  const newest = findWords(thread);
  return (from) => (newest === undefined || newest.number >= from ? [] : [newest.message]);
}

/** The newest words, with their number; undefined where newer ones are pending. */
function findWords(thread: ThreadView): { number: number; message: ModelMessage } | undefined {
  if (thread.pending().some(isWords)) return undefined;
  const { from, kept } = thread.shown();
  const index = thread.entries().findLastIndex(({ message }) => isWords(message));
  const shown = thread.entries()[index]?.message;
  if (shown !== undefined) return { number: from + index, message: shown };
  // Without a summary they stand after the note about left-out entries.
  const message = kept.filter(isWords)[findSummary(thread) === undefined ? 1 : 0];
  return message === undefined ? undefined : { number: -1, message };
}

/** The summary that stands before the entries, where one does. */
export function findSummary(thread: ThreadView): ModelMessage | undefined {
  const [first] = thread.shown().kept;
  return first?.role === "user" && first.origin === "summary" ? first : undefined;
}

/** Texts by the runtime in the user's role, and copied ones, do not count. */
function isWords(message: ModelMessage): boolean {
  return message.role === "user" && message.origin === undefined;
}
