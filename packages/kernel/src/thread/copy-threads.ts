/**
 * Threads of one run for another (spec/context.md §1.6, §1.7). Everything copied is written again
 * under the key of the receiving run, so the two cannot be matched.
 */

import type { ThreadMarks } from "@turnseal/folds";
import type { Blob } from "@turnseal/ports";
import type {
  ContextEntry,
  CopiedThread,
  JsonValue,
  LoopEvent,
  ModelMessage,
} from "@turnseal/protocol";
import { filesOf } from "../context/message-files.ts";
import { renderCopy } from "../context/render-copy.ts";
import { COPIED_ENTRIES_MAX } from "../limits.ts";
import type { Content } from "../log/content.ts";
import { recordMessages } from "./context-item.ts";
import { copyMessage, type FileCopy } from "./copy-files.ts";
import { readThread } from "./read-thread.ts";
import type { Thread } from "./thread.ts";

export interface CopiedThreads {
  readonly threads: readonly CopiedThread[];
  readonly blobs: readonly Blob[];
}

/** Where threads are copied from. */
export interface ThreadSource {
  readonly content: Content;
  readEvents(from: number): AsyncIterable<LoopEvent>;
  /** True from the first event on that is no part of what is copied. */
  isEnd(event: LoopEvent): boolean;
}

/** Every thread as it stood; undefined where they are too many entries together. */
export async function copyThreads(
  marks: ThreadMarks,
  source: ThreadSource,
  content: Content,
): Promise<CopiedThreads | undefined> {
  const threads: CopiedThread[] = [];
  const blobs: Blob[] = [];
  let count = 0;
  for (const [name, { since }] of Object.entries(marks)) {
    const { readEvents, ...read } = source;
    const thread = await readThread({ name, ...read, events: readEvents(since) });
    const said = [...listMessages(thread), ...thread.pending()];
    count += said.length;
    if (count > COPIED_ENTRIES_MAX) return undefined;
    const copy = { from: source.content.files, to: content.files };
    const added = recordMessages(await copyAll(said, copy), content);
    const kept = recordMessages(await copyAll(thread.shown().kept, copy), content);
    blobs.push(...added.blobs, ...kept.blobs);
    threads.push(describeCopy(thread, { added: added.items, kept: kept.items }, content));
  }
  return { threads, blobs };
}

/**
 * Makes the thread for the root prompt of a run started by a handoff: one entry, which is not its
 * own.
 */
export function copyText(name: string, text: string, content: Content): CopiedThreads {
  const { items: added, blobs } = recordMessages([{ role: "user", text, origin: "copy" }], content);
  const facts = { thread: name, at: 0, kept: [], added };
  return { threads: [{ ...facts, head: digestCopy(facts, content) }], blobs };
}

/** Renders a thread, as its last request showed it, for another run. */
export async function readGivenText(
  { name, since }: { readonly name: string; readonly since: number },
  { readEvents, ...source }: ThreadSource,
): Promise<string | undefined> {
  const thread = await readThread({ name, ...source, events: readEvents(since) });
  // The answer that asks for the handoff is not among them: it has no result yet.
  return renderCopy([...thread.shown().kept, ...listMessages(thread)]);
}

async function copyAll(
  messages: readonly ModelMessage[],
  copy: FileCopy,
): Promise<readonly ModelMessage[]> {
  const copied: ModelMessage[] = [];
  for (const message of messages)
    copied.push(filesOf(message).length === 0 ? message : await copyMessage(message, copy));
  return copied;
}

function listMessages(thread: Thread): ModelMessage[] {
  return thread.entries().map(({ message }) => message);
}

interface CopiedItems {
  readonly added: readonly ContextEntry[];
  readonly kept: readonly ContextEntry[];
}

function describeCopy(thread: Thread, items: CopiedItems, content: Content): CopiedThread {
  const facts = { thread: thread.name, at: thread.shown().from, ...items };
  const ratio = thread.ratio();
  return {
    ...facts,
    head: digestCopy(facts, content),
    ...(ratio === 1_000 ? {} : { ratio }),
    ...(thread.isRefused() ? { refused: true } : {}),
  };
}

function digestCopy(facts: CopiedItems & Pick<CopiedThread, "thread" | "at">, content: Content) {
  return content.seal({ previous: null, ...facts } as unknown as JsonValue).digest;
}
