/**
 * The messages of a model request, as the log has them: what every request of the same call, or of
 * the same thread, added up to this one. They are what the model was sent, to the byte.
 */
import { createThreadFold, LEFT_OUT, readMessage, toSent } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import {
  type ClaimOf,
  type ContextEntry,
  isClaimOf,
  type LoopEvent,
  type ModelMessage,
  type SummarizedSpan,
} from "@turnseal/protocol";
import { readEvents } from "../../state/load-projection.ts";
import { readContent } from "../../state/read-content.ts";
import { findBefore } from "./find-event.ts";

export type ReadRequest =
  | { readonly kind: "read"; readonly messages: readonly ModelMessage[] }
  /** Some of it was erased, or the log has no such request. */
  | { readonly kind: "missing" };

type ReadStores = Pick<Stores, "log" | "blobs">;

/** Reads the request that the event with this number claimed. */
export async function readModelMessages(
  stores: ReadStores,
  run: string,
  sequence: number,
): Promise<ReadRequest> {
  const [claim] = await stores.log.read(run, sequence, 1);
  if (claim === undefined || !isClaimOf("model", claim)) return { kind: "missing" };
  const messages: ModelMessage[] = [];
  for (const { message } of await readSent(stores, claim)) {
    if (message === undefined) return { kind: "missing" };
    messages.push(message);
  }
  return { kind: "read", messages };
}

interface SentItem {
  readonly item: ContextEntry;
  /** Its place in the thread; null for what stands before the entries, and without a thread. */
  readonly number: number | null;
  /** True for a result that the model sees as omitted. */
  readonly isLeftOut: boolean;
  /** True for the notes, which stand at the end of this request alone. */
  readonly isTail?: true;
  /** The entries that it is a summary of. */
  readonly summarized?: SummarizedSpan | undefined;
}

export interface SentMessage extends SentItem {
  /** Undefined if it was erased. */
  readonly message: ModelMessage | undefined;
}

/** Reads the messages that the model was sent, as far as they are still stored. */
export async function readSent(
  stores: ReadStores,
  claim: ClaimOf<"model">,
): Promise<SentMessage[]> {
  const { backend, model } = claim.content;
  const names = new Map<string, string>();
  const sent: SentMessage[] = [];
  for (const listed of await listItems(stores, claim)) {
    const { item, isLeftOut } = listed;
    const value = isLeftOut ? LEFT_OUT : await readContent(stores, claim.run, item);
    if (value === undefined) {
      sent.push({ ...listed, message: undefined });
      continue;
    }
    const message = readMessage(item, value, names.get(item.toolCallId ?? "") ?? "");
    if (message.role === "assistant")
      for (const part of message.content)
        if (part.kind === "tool-call") names.set(part.toolCallId, part.toolName);
    sent.push({ ...listed, message: toSent([message], `${backend}/${model}`)[0] });
  }
  return sent;
}

async function listItems(stores: ReadStores, claim: ClaimOf<"model">): Promise<SentItem[]> {
  const { tail } = claim.content.context;
  const items = await listSaid(stores, claim);
  if (tail === undefined) return items;
  const item: ContextEntry = { role: "user", ...tail.text };
  return [...items, { item, number: null, isLeftOut: false, isTail: true }];
}

async function listSaid({ log }: ReadStores, claim: ClaimOf<"model">): Promise<SentItem[]> {
  const { thread } = claim.content.context;
  if (thread !== undefined) return listThread(log, claim, thread);
  const claims = await readConversation(log, claim);
  // Results that a request is the first to leave out; they stay out, the oldest first.
  const leftOut = claims.flatMap(({ content }) => content.context.leftOut ?? []);
  return claims
    .flatMap(({ content }) => content.context.added)
    .map((item) => {
      const gone = item.role === "tool" ? leftOut.indexOf(item.digest) : -1;
      if (gone >= 0) leftOut.splice(gone, 1);
      return { item, number: null, isLeftOut: gone >= 0 };
    });
}

async function listThread(
  log: Stores["log"],
  claim: ClaimOf<"model">,
  thread: string,
): Promise<SentItem[]> {
  const fold = createThreadFold(thread);
  for await (const event of readEvents(log, claim.run, await findMark(log, claim, thread))) {
    if (event.sequence > claim.sequence) break;
    fold.apply(event);
  }
  const { shown, entries } = fold.result();
  return [
    ...shown.head.map((item) => ({ item, number: null, isLeftOut: false })),
    ...shown.kept.map((item) => ({
      ...{ item, number: null, isLeftOut: false },
      summarized: item.origin === "summary" ? shown.summarized : undefined,
    })),
    ...entries.map(({ item }, index) => ({ item, number: shown.from + index, isLeftOut: false })),
  ];
}

/** The claims that made the conversation, each the latest with its key, up to this one. */
async function readConversation(
  log: Stores["log"],
  claim: ClaimOf<"model">,
): Promise<readonly ClaimOf<"model">[]> {
  const byContext = new Map<string | null, ClaimOf<"model">>();
  const started = await findBefore(log, claim, ({ type }) => type === "turn.started");
  for await (const event of readEvents(log, claim.run, started?.sequence ?? 1)) {
    if (event.sequence > claim.sequence) break;
    if (event.call === claim.call && isClaimOf("model", event))
      byContext.set(event.content.context.previous, event);
  }
  return [...byContext.values()];
}

/** Where a thread can be read from: the end of the last turn that went on with it says so. */
async function findMark(
  log: Stores["log"],
  claim: ClaimOf<"model">,
  name: string,
): Promise<number> {
  const closed = await findBefore(log, claim, (event) => findEnd(event, name) !== undefined);
  if (closed === undefined) return 1;
  return findEnd(closed, name)?.since ?? closed.sequence;
}

function findEnd(event: LoopEvent, name: string): { readonly since?: number } | undefined {
  if (event.type !== "turn.closed") return undefined;
  return event.content.threads?.find(({ thread }) => thread === name);
}
