/** Reads a thread back from the log, with what its entries say. */
import type { ModelMessage } from "@turnseal/ports";
import type { ContextEntry, LoopEvent } from "@turnseal/protocol";
import type { Content } from "../log/content.ts";
import { readMessage } from "./context-item.ts";
import { createThreadFold } from "./fold-thread.ts";
import { createThread, type Thread, type ThreadEntry } from "./thread.ts";

/** Entries that are read at the same time. */
const READS_AT_ONCE = 16;

interface ThreadRecord {
  readonly name: string;
  /** The events of the run from the thread's mark on. */
  readonly events: AsyncIterable<LoopEvent>;
  /** The turn that asks: nothing of it is part of the thread yet. */
  readonly turn: number;
  readonly content: Content;
}

export async function readThread({ name, events, turn, content }: ThreadRecord): Promise<Thread> {
  const fold = createThreadFold(name);
  for await (const event of events) {
    if (event.type === "turn.started" && event.turn === turn) break;
    fold.apply(event);
  }
  const { head, shown, shownSince, ratio, isRefused, entries, answer } = fold.result();
  const items = entries.map(({ item }) => item);
  const toMessages = openReader(content);
  const known: ThreadEntry[] = [];
  for (const [index, message] of (await toMessages(items)).entries()) {
    const since = entries[index]?.since;
    if (since !== undefined) known.push({ message, since });
  }
  const thread = createThread(name, {
    head: head ?? digestOf(items, content),
    shown: {
      head: await toMessages(shown.head),
      kept: await toMessages(shown.kept),
      from: shown.from,
    },
    ...(shownSince === undefined ? {} : { shownSince }),
    ...(ratio === undefined ? {} : { ratio }),
    isRefused,
    entries: known,
  });
  if (answer !== undefined) thread.say((await toMessages([answer])).filter(isSaid));
  return thread;
}

/** An answer without anything is none: providers refuse to be shown one. */
export function isSaid(message: ModelMessage): boolean {
  return message.role !== "assistant" || message.content.length > 0;
}

/** Where no record names the whole of it. */
function digestOf(items: readonly ContextEntry[], content: Content): string | null {
  if (items.length === 0) return null;
  return content.seal(items.map(({ digest }) => digest)).digest;
}

type ReadMessages = (items: readonly ContextEntry[]) => Promise<ModelMessage[]>;

/** The name of a tool stands with its call, which comes before its result. */
function openReader(content: Content): ReadMessages {
  const toolNames = new Map<string, string>();
  return async (items) => {
    const messages: ModelMessage[] = [];
    for (let index = 0; index < items.length; index += READS_AT_ONCE) {
      const page = items.slice(index, index + READS_AT_ONCE);
      const values = await Promise.all(page.map((item) => content.read(item)));
      for (const [offset, item] of page.entries()) {
        const toolName = toolNames.get(item.toolCallId ?? "") ?? "";
        const message = readMessage(item, values[offset] ?? null, toolName);
        if (message.role === "assistant")
          for (const part of message.content)
            if (part.kind === "tool-call") toolNames.set(part.toolCallId, part.toolName);
        messages.push(message);
      }
    }
    return messages;
  };
}
