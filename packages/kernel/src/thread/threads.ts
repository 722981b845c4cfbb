/** The threads that a turn goes on with. */

import type { ThreadMarks } from "@turnseal/folds";
import type { Blob } from "@turnseal/ports";
import type { GivenThread, JsonValue, LoopEvent, ThreadEnd } from "@turnseal/protocol";
import { THREADS_MAX } from "../limits.ts";
import type { Content } from "../log/content.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import { recordMessages } from "./context-item.ts";
import { readThread } from "./read-thread.ts";
import { createThread, type Thread } from "./thread.ts";
import type { ThreadCache } from "./thread-cache.ts";

export interface Threads {
  /** The thread of that name; another call of the turn may have gone on with it before. */
  open(name: string): Promise<Outcome<Thread>>;
  /** The thread of that name as its last request of this turn showed it, for another run. */
  give(name: string): GivenThread | undefined;
  /** Seals a value beside the thread's entries, with the mark that lets a model ask for it. */
  sealKept(value: JsonValue): { readonly kept: Blob; readonly mark: Blob };
  /** Returns the record of the threads for the end of the turn. */
  end(): { readonly ends: readonly ThreadEnd[]; readonly blobs: readonly Blob[] };
  /** They are recorded, with the last event of the turn. */
  close(sequence: number): void;
}

/** Where the threads of earlier turns are found. */
export interface ThreadHistory {
  readonly marks: ThreadMarks;
  /** The events of the run from a sequence number on. */
  readEvents(from: number): AsyncIterable<LoopEvent>;
  /** Threads in memory, for a worker that advanced the run before. */
  readonly cache?: ThreadCache;
}

export interface ThreadSources {
  readonly run: string;
  readonly turn: number;
  readonly content: Content;
  readonly history: ThreadHistory | undefined;
}

export function createThreads(sources: ThreadSources): Threads {
  const { run, content, history } = sources;
  const { marks = {}, cache } = history ?? {};
  const open = new Map<string, { readonly thread: Thread; readonly head: string | null }>();
  const listChanged = (): Thread[] =>
    [...open.values()]
      .filter(({ thread, head }) => thread.head() !== head || thread.pending().length > 0)
      .map(({ thread }) => thread);
  return {
    open: async (name) => {
      const known = open.get(name);
      if (known !== undefined) return succeed(known.thread);
      const others = new Set([...Object.keys(marks), ...open.keys()]);
      if (!others.has(name) && others.size >= THREADS_MAX)
        return fail("BUDGET_EXCEEDED", `a run has at most ${THREADS_MAX} threads`);
      const thread = await findThread(name, sources);
      // Asked for at the same time, it is still one.
      const first = open.get(name) ?? { thread, head: thread.head() };
      open.set(name, first);
      return succeed(first.thread);
    },
    give: (name) => {
      const thread = open.get(name)?.thread;
      const [head, since] = [thread?.head() ?? null, thread?.since()];
      return head === null || since === undefined ? undefined : { name, head, since };
    },
    sealKept: (value) => {
      const kept = content.seal(value);
      return { kept, mark: content.sealMark(kept.digest) };
    },
    end: () => {
      const blobs: Blob[] = [];
      const ends = listChanged().map((thread): ThreadEnd => {
        const { items: added, blobs: said } = recordMessages(thread.pending(), content);
        blobs.push(...said);
        return { ...describeEnd(thread, added, content), added };
      });
      return { ends, blobs };
    },
    close: (sequence) => {
      for (const thread of listChanged()) {
        const { items } = recordMessages(thread.pending(), content);
        thread.record({ head: describeEnd(thread, items, content).head, since: sequence });
      }
      for (const { thread } of open.values()) cache?.put(run, thread);
    },
  };
}

function describeEnd(
  thread: Thread,
  added: ThreadEnd["added"],
  content: Content,
): Omit<ThreadEnd, "added"> {
  const previous = thread.head();
  const at = thread.count();
  const since = thread.since();
  const whole = { previous, added, thread: thread.name, at };
  const head =
    added.length === 0 && previous !== null
      ? previous
      : content.seal(whole as unknown as JsonValue).digest;
  const ratio = thread.ratio();
  return {
    ...{ thread: thread.name, head, at },
    ...(since === undefined ? {} : { since }),
    ...(ratio === 1_000 ? {} : { ratio }),
    ...(thread.isRefused() ? { refused: true } : {}),
  };
}

async function findThread(
  name: string,
  { run, turn, content, history }: ThreadSources,
): Promise<Thread> {
  const { marks = {}, cache } = history ?? {};
  const mark = Object.hasOwn(marks, name) ? marks[name] : undefined;
  if (mark === undefined || history === undefined) return createThread(name);
  const kept = mark.head === null ? undefined : cache?.take(run, name, mark.head);
  const events = history.readEvents(mark.since);
  // The asking turn is not part of it yet.
  const isEnd = (event: LoopEvent) => event.type === "turn.started" && event.turn === turn;
  return kept ?? readThread({ name, content, events, isEnd });
}
