/**
 * Compares the requests to models with the log, by a fold of the simulation's own. After any crash
 * a request must be the one that the log gives, on any worker, and the log must record what
 * happened.
 */
import type { Stores } from "@turnseal/ports";
import {
  type ContextEntry,
  canonicalize,
  type EventOf,
  isClaimOf,
  isSettledOf,
  type JsonValue,
  type LoopEvent,
} from "@turnseal/protocol";
import type { Promises } from "./fault.ts";
import type { Tally } from "./tally.ts";

/** One request that reached a model: the claim, and the messages as canonical JSON. */
export interface SentRequest {
  readonly claim: number;
  readonly messages: string;
}

interface ThreadParts {
  readonly stores: Stores;
  readonly promises: Promises;
  readonly tally: Tally;
}

interface FoldedThread {
  before: readonly ContextEntry[];
  from: number;
  readonly entries: ContextEntry[];
  /** Entries below this number are never replaced. */
  floor: number;
  last: LastRequest | undefined;
}

interface LastRequest {
  readonly turn: number;
  readonly epoch: number;
  readonly call: string;
  readonly sequence: number;
  /** The number that its answer must get, and the answer once there is one. */
  readonly next: number;
  answer: string | undefined;
  /** What its tools gave, by their place in the answer. */
  readonly children: Map<string, number>;
  readonly done: Set<number>;
}

type Claim = EventOf<"action.claimed">;

export async function checkThreads(
  run: string,
  {
    events,
    sent,
  }: { readonly events: readonly LoopEvent[]; readonly sent: readonly SentRequest[] },
  parts: ThreadParts,
): Promise<void> {
  const bySequence = new Map(sent.map(({ claim, messages }) => [claim, messages]));
  const threads = new Map<string, FoldedThread>();
  const read = openReader(run, parts.stores);
  let continues = false;
  for (const event of events) {
    if (event.type === "turn.started") continues = event.content.continues === true;
    for (const { last } of threads.values()) if (last !== undefined) follow(last, event);
    if (event.type === "turn.closed")
      for (const { thread, at, added } of event.content.threads ?? []) {
        const folded = openFold(threads, thread);
        put(folded, { at, added }, parts.promises);
        await checkAnswer(folded, read, parts);
        folded.floor = folded.entries.length;
      }
    if (!isClaimOf("model", event) || event.content.context.thread === undefined) continue;
    const folded = openFold(threads, event.content.context.thread);
    const isFirst = folded.last?.turn !== event.turn;
    if (isFirst && !continues) holdWords(event, parts.promises);
    countFate(folded, event, { isFirst, continues, tally: parts.tally });
    await applyClaim(folded, event, { read, parts });
    const messages = bySequence.get(event.sequence);
    if (messages === undefined) continue;
    const wanted = await read([...folded.before, ...folded.entries.slice(folded.from)]);
    // As canonical JSON has a list: most of it was written before.
    const isSame = `[${wanted.map(({ text }) => text).join(",")}]` === messages;
    parts.promises.hold(isSame, `event ${event.sequence} sends another thread than the log has`);
    parts.promises.hold(
      isPaired(wanted.map(({ message }) => message)),
      `event ${event.sequence} sends a tool call bare`,
    );
  }
}

function openFold(threads: Map<string, FoldedThread>, name: string): FoldedThread {
  const known = threads.get(name) ?? {
    before: [],
    from: 0,
    entries: [],
    floor: 0,
    last: undefined,
  };
  threads.set(name, known);
  return known;
}

/** What is put at a number replaces only what nobody answered. */
function put(
  { entries, last, floor }: FoldedThread,
  { at, added }: { readonly at: number; readonly added: readonly ContextEntry[] },
  promises: Promises,
): void {
  promises.hold(at <= entries.length, "the numbers of a thread have a gap");
  const isKept = at >= Math.max(floor, last?.answer === undefined ? 0 : last.next);
  promises.hold(isKept, "what was said is taken out of a thread");
  entries.splice(at, entries.length, ...added);
}

/**
 * A model's answer is the next entry, and results of its tools are shown as the tools gave them.
 */
async function checkAnswer({ entries, last }: FoldedThread, read: Read, parts: ThreadParts) {
  if (last?.answer === undefined) return;
  const next = entries[last.next];
  parts.promises.hold(next?.digest === last.answer, "an answer is not in its thread");
  const told = (await read(entries.slice(last.next))).map(({ message }) => message);
  const calls = told[0]?.content?.filter(({ kind }) => kind === "tool-call") ?? [];
  for (const [step, { toolCallId }] of calls.entries()) {
    const result = told.slice(1).find((message) => message.toolCallId === toolCallId)?.result;
    const isCut = canonicalize(result ?? null) === '{"error":"INTERRUPTED"}';
    parts.promises.hold(!isCut || !last.done.has(step), "a tool that was done is told as cut off");
    if (isCut) parts.tally.count("fate thread-call-closed");
  }
}

async function applyClaim(
  folded: FoldedThread,
  event: Claim,
  { read, parts }: { readonly read: Read; readonly parts: ThreadParts },
): Promise<void> {
  if (event.content.action !== "model") return;
  const { at = 0, added, shown } = event.content.context;
  put(folded, { at, added }, parts.promises);
  await checkAnswer(folded, read, parts);
  folded.floor = at;
  if (shown !== undefined) {
    folded.before = [...shown.head, ...shown.kept];
    folded.from = shown.from;
  }
  folded.last = {
    ...{ turn: event.turn ?? 0, epoch: event.epoch, call: event.call, sequence: event.sequence },
    ...{ next: at + added.length, answer: undefined, children: new Map(), done: new Set() },
  };
}

/** The last message of a turn's first request is the prompt's input. */
function holdWords({ content, sequence }: Claim, promises: Promises): void {
  const last = content.action === "model" ? content.context.added.at(-1) : undefined;
  const isWords = last?.role === "user" && last.origin === undefined;
  promises.hold(isWords, `event ${sequence} begins a turn without its words`);
}

function countFate(
  { last }: FoldedThread,
  { turn, epoch, content }: Claim,
  { isFirst, continues, tally }: { isFirst: boolean; continues: boolean; tally: Tally },
): void {
  if (content.action !== "model") return;
  const { at = 0, shown } = content.context;
  if (isFirst && at > 0) tally.count("fate thread-continued");
  if (isFirst && continues) tally.count("fate thread-past-rounds");
  if ((shown?.from ?? 0) > 0) tally.count("fate thread-left-out");
  if (last?.turn === turn && last?.epoch !== epoch) tally.count("fate thread-resumed");
}

function follow(last: LastRequest, event: LoopEvent): void {
  if (event.type === "child.started" && event.call === last.call && last.answer !== undefined)
    last.children.set(event.content.child, event.content.step);
  if (event.type !== "action.settled" || event.content.status !== "ok") return;
  if (isSettledOf("model", event) && event.content.claim === last.sequence)
    last.answer = event.content.result?.digest;
  const step = last.children.get(event.call);
  if (step !== undefined) last.done.add(step);
}

/** The common fields of messages, as far as they are read. */
interface ReadMessage {
  readonly role: string;
  readonly content?: readonly {
    readonly kind: string;
    readonly toolCallId?: string;
    readonly toolName?: string;
  }[];
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly result?: JsonValue;
  readonly text?: JsonValue;
}

interface ReadEntry {
  readonly message: ReadMessage;
  /** As canonical JSON. */
  readonly text: string;
}

type Read = (items: readonly ContextEntry[]) => Promise<readonly ReadEntry[]>;

/** Each tool call has one result before the next message, and each result has a call. */
function isPaired(messages: readonly ReadMessage[]): boolean {
  let open = new Set<string>();
  for (const { role, content = [], toolCallId = "" } of messages) {
    if (role === "tool" && !open.delete(toolCallId)) return false;
    if (role !== "tool" && open.size > 0) return false;
    const calls = content.filter(({ kind }) => kind === "tool-call");
    if (role === "assistant") open = new Set(calls.map((call) => call.toolCallId ?? ""));
  }
  return open.size === 0;
}

/** Entries stand in many requests: each is read once. */
function openReader(run: string, { blobs }: Stores): Read {
  const known = new Map<string, ReadEntry>();
  const readEntry = async ({ role, digest, toolCallId = "" }: ContextEntry, toolName: string) => {
    const value: JsonValue = JSON.parse(new TextDecoder().decode(await blobs.read(run, digest)));
    const message = toMessage(role, value, { toolCallId, toolName });
    return { message, text: canonicalize(message as unknown as JsonValue) };
  };
  return async (items) => {
    const names = new Map<string, string>();
    const entries: ReadEntry[] = [];
    for (const item of items) {
      const toolName = item.role === "tool" ? (names.get(item.toolCallId ?? "") ?? "") : "";
      const key = `${item.role} ${item.digest} ${item.toolCallId} ${toolName}`;
      const entry = known.get(key) ?? (await readEntry(item, toolName));
      known.set(key, entry);
      for (const part of entry.message.content ?? [])
        if (part.toolCallId !== undefined) names.set(part.toolCallId, part.toolName ?? "");
      entries.push(entry);
    }
    return entries;
  };
}

function toMessage(
  role: ContextEntry["role"],
  value: JsonValue,
  tool: { readonly toolCallId: string; readonly toolName: string },
): ReadMessage {
  if (role === "tool") return { role, ...tool, result: value };
  const content = value as unknown as NonNullable<ReadMessage["content"]>;
  return role === "assistant" ? { role, content } : { role, text: value };
}
