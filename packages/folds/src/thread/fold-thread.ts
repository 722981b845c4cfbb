/**
 * A thread as a fold of the log (spec/context.md §2).
 *
 * 1. A request of the thread records its new part, and from which number on: it replaces earlier
 *    entries there, of an attempt that was repeated.
 * 2. The end of a turn records the messages after its last request. A turn that was not run to its
 *    end recorded none. Then they are the answer to its last request, with the results of tools
 *    that the log has.
 * 3. The start of a run records its copies of other runs' threads.
 * 4. Turns of before there were threads have requests without a thread. Requests of the root call
 *    are the thread of the root; the new part of each is its prompt's input.
 */
import type { BlobRef, ContextEntry, EventOf, LoopEvent, ShownContext } from "@turnseal/protocol";
import { createResultFold, type ResultFold } from "./fold-results.ts";
import { createNumberedEntries, type FoldedEntry } from "./numbered-entries.ts";
import { ROOT_PLACE } from "./place.ts";

export interface FoldedThread {
  /** As the log names it; null where it has to be made from the entries. */
  readonly head: string | null;
  readonly shown: ShownContext;
  readonly shownSince: number | undefined;
  readonly ratio: number | undefined;
  readonly isRefused: boolean;
  /** From the number `shown.from` on. */
  readonly entries: readonly FoldedEntry[];
  /** The answer to the last request, where nothing says that it was added. */
  readonly answer: ContextEntry | undefined;
  /** The results of the tools that it calls, by their place among them. */
  readonly results: ReadonlyMap<number, BlobRef | null>;
}

type ModelClaim = EventOf<"action.claimed"> & {
  readonly content: Extract<EventOf<"action.claimed">["content"], { action: "model" }>;
};

interface KnownEnd {
  readonly ratio?: number;
  readonly refused?: true;
}

export interface ThreadFold {
  apply(event: LoopEvent): void;
  result(): FoldedThread;
}

export function createThreadFold(name: string): ThreadFold {
  let head: string | null = null;
  let shown: ShownContext = { head: [], kept: [], from: 0 };
  let shownSince: number | undefined;
  let ended: KnownEnd | undefined;
  const entries = createNumberedEntries();
  let asked: ModelClaim | undefined;
  let answer: ContextEntry | undefined;
  let given: ResultFold | undefined;

  const putAnswer = (): void => {
    if (answer !== undefined && asked !== undefined)
      entries.put(entries.count(), [answer], asked.sequence);
    answer = undefined;
  };
  const begin = ({ sequence, content }: EventOf<"run.started">): void => {
    const copied = content.threads?.find(({ thread }) => thread === name);
    if (copied === undefined) return;
    const { at, added, kept } = copied;
    entries.put(at, added, sequence);
    [shown, shownSince] = [{ head: [], kept, from: at }, sequence];
    [head, ended] = [copied.head, copied];
  };
  const claim = (event: ModelClaim): void => {
    const { context } = event.content;
    if (context.thread === undefined) {
      // A request that goes on has the answer before it among what it adds.
      if (context.previous === null) putAnswer();
      const isRetry = asked?.content.context.previous === context.previous && answer === undefined;
      const again = isRetry && asked?.call === event.call ? entries.firstOf(asked.sequence) : null;
      const words = pickWords(context.added, context.previous === null);
      entries.put(again ?? entries.count(), words, event.sequence);
      shownSince ??= event.sequence;
    } else {
      entries.put(context.at ?? entries.count(), context.added, event.sequence);
      if (context.shown !== undefined) [shown, shownSince] = [context.shown, event.sequence];
    }
    [asked, answer, given, head] = [event, undefined, undefined, null];
  };
  const settle = ({ content }: EventOf<"action.settled">): void => {
    if (asked === undefined || content.claim !== asked.sequence) return;
    if (content.action !== "model" || content.status !== "ok" || content.result === undefined)
      return;
    const said = toAnswer(asked, content.result, content.files);
    if (isSaid(said)) [answer, given] = [said, createResultFold(asked.call)];
  };

  return {
    apply: (event) => {
      if (event.type === "run.started") begin(event);
      if (event.type === "action.claimed" && isOfThread(event, name)) claim(event);
      given?.apply(event);
      if (event.type === "action.settled") settle(event);
      if (event.type !== "turn.closed") return;
      const end = event.content.threads?.find(({ thread }) => thread === name);
      if (end === undefined) return;
      entries.put(end.at, end.added, event.sequence);
      [asked, answer, given] = [undefined, undefined, undefined];
      [head, ended] = [end.head, end];
    },
    result: () => ({
      ...{ head, shown, shownSince, answer },
      ratio: ended?.ratio,
      isRefused: ended?.refused === true,
      entries: entries.listFrom(shown.from),
      results: given?.results() ?? new Map(),
    }),
  };
}

function isOfThread(event: EventOf<"action.claimed">, name: string): event is ModelClaim {
  if (event.content.action !== "model") return false;
  const { thread } = event.content.context;
  if (thread !== undefined) return thread === name;
  return name === ROOT_PLACE && event.parentCall === undefined;
}

/** Of the first request of a call: the prompt, which is the last of the user's words. */
function pickWords(added: readonly ContextEntry[], isFirst: boolean): readonly ContextEntry[] {
  if (!isFirst) return added.filter(isSaid);
  const words = added.findLast(({ role }) => role === "user");
  return words === undefined ? [] : [words];
}

/**
 * An answer without anything is none: providers refuse to be shown one. An empty list is all that
 * has two bytes.
 */
function isSaid({ role, size }: ContextEntry): boolean {
  return role !== "assistant" || size > NOTHING_BYTES;
}

const NOTHING_BYTES = "[]".length;

function toAnswer(
  asked: ModelClaim,
  result: BlobRef,
  files: readonly BlobRef[] | undefined,
): ContextEntry {
  const entry = { role: "assistant", by: makerOf(asked), ...result } as const;
  return files === undefined ? entry : { ...entry, files };
}

function makerOf({ content: { backend, model } }: ModelClaim): string {
  return `${backend}/${model}`;
}
