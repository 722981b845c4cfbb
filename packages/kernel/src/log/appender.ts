/**
 * The only writer of a run's log while it holds the run's epoch.
 *
 * 1. An event has its sequence number, time and hash as soon as it is pushed; it is durable after
 *    `flush`.
 * 2. Queued events are written as one append, in order.
 * 3. An answer other than appended or duplicate ends this writer: it never reads the head again to
 *    get past it.
 */
import type { Blob, Clock, Ids, RunSnapshot, StoredReceipt, Stores } from "@turnseal/ports";
import {
  type Actor,
  type BlobRef,
  type DraftOf,
  type Envelope,
  type EventOf,
  type Head,
  hashEvent,
  type JsonValue,
  type LoopEvent,
  type LoopEventType,
} from "@turnseal/protocol";
import type { GraphWrite } from "@turnseal/protocol/graph";
import type { Content } from "./content.ts";
import { holdContent } from "./hold-content.ts";
import { cutAtResult, findKeptUntil, storeAgain } from "./keep-results.ts";
import { LogError } from "./log-error.ts";
import { type Batch, emptyBatch, writeBatch } from "./write-batch.ts";

/** An event before its time and number, of one type or of any. */
export type EventDraft<Type extends LoopEventType = LoopEventType> = DraftOf<Type> & {
  /** Blobs that `content` names already. */
  readonly blobs?: readonly Blob[];
};

export interface Appender {
  readonly run: string;
  readonly epoch: number;
  /** The content of the run, with the latest parts in memory. */
  readonly content: Content;
  /** The same as the store has it: to compare it with the digest. */
  readonly stored: Content;
  /** Puts an event in line, made for its time. */
  push<Type extends LoopEventType>(make: (nowMs: number) => EventDraft<Type>): EventOf<Type>;
  /** Marks an inbox row as taken in by the events in line. */
  consume(key: string): void;
  /** Adds the receipt that belongs to the last event in line. */
  seal(receipt: StoredReceipt): void;
  /** Makes everything in line durable. */
  flush(): Promise<void>;
  /** True when nothing waited in the inbox at the latest append. */
  isInboxEmpty(): boolean;
  /** The time of the latest event. */
  lastMs(): number;
  /** Makes this time a lower bound for all later events, even if the clock goes back. */
  reach(atMs: number): void;
  /** From here on events are kept at hand, for the receipt. */
  mark(): void;
  /** The events pushed since the mark. */
  sinceMark(): readonly LoopEvent[];
}

export interface AppenderOptions {
  readonly run: string;
  readonly epoch: number;
  readonly head: Head;
  readonly lastMs: number;
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly content: Content;
  /** Told of every event as it is pushed; answers with the snapshot that an append should carry. */
  readonly fold: (event: LoopEvent) => void;
  readonly snapshot: () => RunSnapshot;
  /** Asked of every event before it is pushed: the rule that it would break. */
  readonly refuse?: (event: LoopEvent) => string | undefined;
  /** The graph changes of an append, where the run keeps a graph. */
  readonly graph?: () => GraphWrite | undefined;
  /** Called with events that are durable. Its errors are ignored. */
  readonly onAppended?: (events: readonly LoopEvent[]) => void;
  /** Aborted when this attempt is over: from then on nothing is written. */
  readonly attempt?: AbortSignal;
  /** True where a result is kept while the store is away, until the deadline of its claim. */
  readonly keepsResults?: boolean;
}

const kernel: Actor = { kind: "kernel", id: "kernel" };

/** An event of any type before its hash. */
interface Unsigned extends Omit<Envelope, "hash"> {
  readonly type: LoopEventType;
  readonly content: object;
  turn?: number;
  call?: string;
  parentCall?: string;
}

export function createAppender(options: AppenderOptions): Appender {
  const { run, epoch, clock, ids } = options;
  let { head, lastMs } = options;
  let lastAt = new Date(lastMs).toISOString();
  let batch = emptyBatch(head);
  const { content, pass } = holdContent(options.content, () => batch.blobs);
  let marked: LoopEvent[] = [];
  let isInboxEmpty = false;
  let writing: Promise<void> = Promise.resolve();

  const reach = (atMs: number): void => {
    if (atMs > lastMs) [lastMs, lastAt] = [atMs, new Date(atMs).toISOString()];
  };
  const push = (make: (nowMs: number) => EventDraft): LoopEvent => {
    reach(clock.now());
    const draft = make(lastMs);
    const blobs = [...(draft.blobs ?? [])];
    const sequence = head.sequence + 1;
    const { attached, content: facts } = draft;
    const event = makeEvent(draft, {
      id: ids.create(`${run}/events/${sequence}/${epoch}`),
      run,
      sequence,
      epoch,
      type: draft.type,
      at: lastAt,
      actor: draft.actor ?? kernel,
      content: attachContent(facts, attached, { content, blobs }),
      previous: head.hash,
    });
    checkRule(options, event);
    batch.blobs.push(...blobs);
    head = { sequence, hash: event.hash };
    batch.events.push(event);
    marked.push(event);
    options.fold(event);
    return event;
  };

  return {
    ...{ run, epoch, content, stored: options.content, reach },
    // The event is of the type of its draft.
    push: push as Appender["push"],
    consume: (key) => batch.consumed.push(key),
    seal: (receipt) => {
      batch.receipt = receipt;
    },
    ...{ isInboxEmpty: () => isInboxEmpty, lastMs: () => lastMs },
    mark: () => {
      marked = [];
    },
    sinceMark: () => marked,
    flush: () => {
      if (batch.events.length > 0) {
        const taken = completeBatch(options, batch);
        pass();
        batch = emptyBatch(head);
        const known = marked;
        // A failed write stays failed: later events must not be written.
        writing = writing.then(async () => {
          isInboxEmpty = await writeKept(options, taken, known);
          tellAppended(options, taken.events);
        });
        // The caller may not await this very flush; the next one reports the failure again.
        writing.catch(() => {});
      }
      return writing;
    },
  };
}

/** Throws if the event breaks a rule: a refused event is not queued. */
function checkRule({ refuse }: AppenderOptions, event: LoopEvent): void {
  const rule = refuse?.(event);
  if (rule !== undefined)
    throw new LogError("LOG_RULE_BROKEN", `${event.type} is not appended: it breaks ${rule}`);
}

/** The queued batch, with its snapshot and graph changes. */
function completeBatch(options: AppenderOptions, batch: Batch): Batch {
  const graph = options.graph?.();
  const whole = { ...batch, snapshot: options.snapshot() };
  return graph === undefined ? whole : { ...whole, graph };
}

/**
 * With `keepsResults`, a batch with a result is written again while the store is away. After a
 * while it is written without the next claim, which would begin too late.
 */
async function writeKept(
  { run, epoch, stores, attempt, clock, keepsResults }: AppenderOptions,
  batch: Batch,
  known: readonly LoopEvent[],
): Promise<boolean> {
  const write = (written: Batch) => writeBatch({ run, epoch, stores, attempt }, written);
  const untilMs = keepsResults ? findKeptUntil(batch.events, known, clock.now()) : undefined;
  if (untilMs === undefined) return (await write(batch)).inboxIsEmpty;
  const cut = cutAtResult(batch, known);
  const writeInTime = async (): Promise<boolean> => {
    if (
      cut !== undefined &&
      clock.now() > cut.lateMs &&
      (await write(cut.batch)).kind === "appended"
    )
      throw new LogError("LOG_FENCED", "the run was left: its next action is claimed anew");
    return (await write(batch)).inboxIsEmpty;
  };
  return storeAgain(writeInTime, { clock, untilMs });
}

/** Adds place and hash. One by one: to spread every draft costs as much as to hash it. */
function makeEvent({ turn, call, parentCall }: EventDraft, event: Unsigned): LoopEvent {
  if (turn !== undefined) event.turn = turn;
  if (call !== undefined) event.call = call;
  if (parentCall !== undefined) event.parentCall = parentCall;
  // Its content is that of one draft, and so is its type.
  return Object.assign(event, { hash: hashEvent(event) }) as LoopEvent;
}

function tellAppended({ onAppended }: AppenderOptions, events: readonly LoopEvent[]): void {
  try {
    onAppended?.(events);
  } catch {
    // The events are in the log, even if the listener throws.
  }
}

/** Turns content into blobs, and names them in the event. */
function attachContent(
  facts: object,
  attached: Readonly<Record<string, JsonValue>> | undefined,
  { content, blobs }: { readonly content: Content; readonly blobs: Blob[] },
): object {
  if (attached === undefined) return facts;
  const named: Record<string, unknown> = { ...facts };
  for (const [name, value] of Object.entries(attached)) {
    const blob = content.seal(value);
    blobs.push(blob);
    named[name] = toReference(blob);
  }
  return named;
}

/** The reference of a blob in an event. */
export function toReference({ digest, size, mediaType }: Blob): BlobRef {
  return { digest, size, mediaType };
}
