/** Reads a thread back from the log, with what its entries say. */

import { createThreadFold, readMessage } from "@turnseal/folds";
import type {
  BlobRef,
  ContextEntry,
  LoopEvent,
  ModelContent,
  ModelMessage,
} from "@turnseal/protocol";
import { previewOutput } from "../context/preview-output.ts";
import { isEmptyAnswer } from "../context/read-answer.ts";
import type { Content } from "../log/content.ts";
import { findResultFiles } from "./find-result-files.ts";
import { createThread, type Thread, type ThreadEntry } from "./thread.ts";

/** Entries that are read at the same time. */
const READS_AT_ONCE = 16;

interface ThreadRecord {
  readonly name: string;
  /** The events of the run from the thread's mark on. */
  readonly events: AsyncIterable<LoopEvent>;
  /** True from the first event on that is no part of it yet. */
  isEnd(event: LoopEvent): boolean;
  readonly content: Content;
}

export async function readThread({ name, events, isEnd, content }: ThreadRecord): Promise<Thread> {
  const fold = createThreadFold(name);
  for await (const event of events) {
    if (isEnd(event)) break;
    fold.apply(event);
  }
  const { head, shown, shownSince, ratio, isRefused, entries, answer, results } = fold.result();
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
      ...(shown.summarized === undefined ? {} : { summarized: shown.summarized }),
    },
    ...(shownSince === undefined ? {} : { shownSince }),
    ...(ratio === undefined ? {} : { ratio }),
    isRefused,
    entries: known,
  });
  const [answered] = answer === undefined ? [] : await toMessages([answer]);
  if (answered?.role !== "assistant" || isEmptyAnswer(answered.content)) return thread;
  thread.say([answered, ...(await readResults(answered.content, results, content))]);
  return thread;
}

/** The result for the model of a tool that acted, but whose output was not checked. */
const OUTPUT_UNCHECKED = { error: "OUTPUT_UNCHECKED" };

/** Reads results of tools that the model has not seen, in the order of the answer. */
async function readResults(
  answer: readonly ModelContent[],
  results: ReadonlyMap<number, BlobRef | null>,
  content: Content,
): Promise<ModelMessage[]> {
  const calls = answer.filter((part) => part.kind === "tool-call");
  const told: ModelMessage[] = [];
  for (const [step, { toolCallId, toolName }] of calls.entries()) {
    const reference = results.get(step);
    if (reference === undefined) continue;
    if (reference === null) {
      told.push({ role: "tool", toolCallId, toolName, result: OUTPUT_UNCHECKED });
      continue;
    }
    const output = await content.read(reference);
    const result = previewOutput(output) ?? output;
    const files = await findResultFiles(output, content.files);
    told.push({ ...{ role: "tool", toolCallId, toolName, result }, ...files });
  }
  return told;
}

/** Computes the digest where no record names the whole of it. */
function digestOf(items: readonly ContextEntry[], content: Content): string | null {
  if (items.length === 0) return null;
  return content.seal(items.map(({ digest }) => digest)).digest;
}

type ReadMessages = (items: readonly ContextEntry[]) => Promise<ModelMessage[]>;

/**
 * The name of a tool stands with its call, which comes before its result. It takes the first open
 * call of that id, since an answer may use an id twice.
 */
function openReader(content: Content): ReadMessages {
  let open: { readonly toolCallId: string; readonly toolName: string }[] = [];
  const nameOf = ({ toolCallId }: ContextEntry): string => {
    const index = open.findIndex((call) => call.toolCallId === toolCallId);
    return index < 0 ? "" : (open.splice(index, 1)[0]?.toolName ?? "");
  };
  return async (items) => {
    const messages: ModelMessage[] = [];
    for (let index = 0; index < items.length; index += READS_AT_ONCE) {
      const page = items.slice(index, index + READS_AT_ONCE);
      const values = await Promise.all(page.map((item) => content.read(item)));
      for (const [offset, item] of page.entries()) {
        const message = readMessage(item, values[offset] ?? null, nameOf(item));
        if (message.role === "assistant")
          open = message.content.filter((part) => part.kind === "tool-call");
        messages.push(message);
      }
    }
    return messages;
  };
}
