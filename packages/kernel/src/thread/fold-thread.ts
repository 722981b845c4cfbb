/**
 * A thread as a fold of the log (spec/context.md §2).
 *
 * 1. A request of the thread records what it adds, and from which number on: what stood there
 *    before, from an attempt that was made again, is replaced.
 * 2. The end of a turn records what came after its last request. A turn that nobody ran to its end
 *    recorded nothing: then the answer to its last request is what came.
 * 3. Turns of before there were threads have requests without a thread. Those of the root call are
 *    the thread of the root, and what is new in each is what its prompt was asked.
 */
import type { ContextEntry, EventOf, LoopEvent, ShownContext, ThreadEnd } from "@turnseal/protocol";
import { ROOT_PLACE } from "./place.ts";

export interface FoldedEntry {
  readonly item: ContextEntry;
  readonly since: number;
}

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
}

type ModelClaim = EventOf<"action.claimed"> & {
  readonly content: Extract<EventOf<"action.claimed">["content"], { action: "model" }>;
};

export interface ThreadFold {
  apply(event: LoopEvent): void;
  result(): FoldedThread;
}

export function createThreadFold(name: string): ThreadFold {
  let head: string | null = null;
  let shown: ShownContext = { head: [], kept: [], from: 0 };
  let shownSince: number | undefined;
  let ended: ThreadEnd | undefined;
  // By number: what is left out is dropped at the end, since reading may begin before it.
  const entries: {
    readonly number: number;
    readonly item: ContextEntry;
    readonly since: number;
  }[] = [];
  let count = 0;
  let asked: ModelClaim | undefined;
  let answer: ContextEntry | undefined;

  const put = (at: number, items: readonly ContextEntry[], since: number): void => {
    while ((entries.at(-1)?.number ?? -1) >= at) entries.pop();
    for (const [index, item] of items.entries()) entries.push({ number: at + index, item, since });
    count = at + items.length;
  };
  const putAnswer = (): void => {
    if (answer !== undefined && asked !== undefined) put(count, [answer], asked.sequence);
    answer = undefined;
  };
  const claim = (event: ModelClaim): void => {
    const { context } = event.content;
    if (context.thread === undefined) {
      // A request that goes on has the answer before it among what it adds.
      if (context.previous === null) putAnswer();
      const isRetry = asked?.content.context.previous === context.previous && answer === undefined;
      const at = isRetry && asked?.call === event.call ? firstOf(asked) : count;
      put(at, pickWords(context.added, context.previous === null), event.sequence);
      shownSince ??= event.sequence;
    } else {
      put(context.at ?? count, context.added, event.sequence);
      if (context.shown !== undefined) [shown, shownSince] = [context.shown, event.sequence];
    }
    [asked, answer, head] = [event, undefined, null];
  };
  const firstOf = ({ sequence }: ModelClaim): number =>
    entries.find(({ since }) => since === sequence)?.number ?? count;

  return {
    apply: (event) => {
      if (event.type === "action.claimed" && isOfThread(event, name)) claim(event);
      if (event.type === "action.settled" && event.content.claim === asked?.sequence) {
        const { content } = event;
        if (content.action === "model" && content.status === "ok" && content.result !== undefined)
          answer = { role: "assistant", by: makerOf(asked), ...content.result };
      }
      if (event.type !== "turn.closed") return;
      const end = event.content.threads?.find(({ thread }) => thread === name);
      if (end === undefined) return;
      put(end.at, end.added, event.sequence);
      [head, asked, answer, ended] = [end.head, undefined, undefined, end];
    },
    result: () => {
      const left = entries.filter(({ number }) => number >= shown.from);
      return {
        head,
        shown,
        shownSince,
        ratio: ended?.ratio,
        isRefused: ended?.refused === true,
        entries: left.map(({ item, since }) => ({ item, since })),
        answer,
      };
    },
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
  if (!isFirst) return added;
  const words = added.findLast(({ role }) => role === "user");
  return words === undefined ? [] : [words];
}

function makerOf({ content: { backend, model } }: ModelClaim): string {
  return `${backend}/${model}`;
}
