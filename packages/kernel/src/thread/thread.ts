/**
 * The ordered entries that a prompt can be shown again (spec/context.md): messages to it, its
 * answers, and the results of its tools.
 *
 * 1. An entry is added once and never changed. Its number is its place in the thread.
 * 2. Pending entries came after the last recorded request. The next request records them, or else
 *    the end of the turn.
 * 3. The size of the entries is updated as they come and go: a request costs only its new part.
 */

import { withoutName } from "@turnseal/folds";
import type { ModelMessage, SummarizedSpan } from "@turnseal/protocol";
import { measureMessages } from "../context/measure-request.ts";
import { TOKEN_RATIO_MAX } from "../limits.ts";
import { createTally } from "./tally.ts";

export interface ThreadEntry {
  readonly message: ModelMessage;
  /** The event that recorded it. */
  readonly since: number;
}

export interface ShownEntries {
  /** The system prompt and guidance of the last request. */
  readonly head: readonly ModelMessage[];
  /** The messages that replace left-out entries. */
  readonly kept: readonly ModelMessage[];
  /** The number of the first entry that is shown. */
  readonly from: number;
  /** The span that the first of `kept` summarises, if it is a summary. */
  readonly summarized?: SummarizedSpan;
}

/** The size of the shown entries. */
export interface ThreadSize {
  readonly tokens: number;
  readonly bytes: number;
  readonly fileBytes: number;
}

export interface Thread {
  readonly name: string;
  /** The digest of everything that is recorded of it; null before its first request. */
  head(): string | null;
  shown(): ShownEntries;
  /** The recorded entries that are shown, in order. */
  entries(): readonly ThreadEntry[];
  /** Their messages, as they are sent to the model that gave all of the answers. */
  sent(): readonly ModelMessage[];
  /** The number of the next entry that is recorded. */
  count(): number;
  /** Entries and what is pending. */
  size(): ThreadSize;
  /** Including the messages before the entries. */
  wholeBytes(): number;
  /** The event from which on all that is shown can be read; undefined before one recorded it. */
  since(): number | undefined;
  /** Tokens that a provider counted for 1,000 estimated ones; 1,000 where it never counted more. */
  ratio(): number;
  /** A provider counted so many. */
  raiseRatio(counted: number): void;
  /** How many shown answers of other models than `by` carry their maker's own data. */
  countForeign(by: string): number;
  /** True when a provider refused the latest request: what it was shown is not shown again. */
  isRefused(): boolean;
  refuse(): void;
  /** Takes it for one call, if no other call has it. */
  hold(): boolean;
  release(): void;
  pending(): readonly ModelMessage[];
  /** Adds messages after the pending ones. */
  say(messages: readonly ModelMessage[]): void;
  /** Marks the pending messages as recorded. */
  record(recorded: RecordedPending): void;
}

export interface RecordedPending {
  readonly head: string;
  readonly since: number;
  readonly shown?: ShownEntries;
}

/** The recorded state of a thread when it is opened. */
export interface KnownThread {
  readonly head: string | null;
  readonly ratio?: number;
  readonly isRefused?: boolean;
  /** The event that recorded what is shown. */
  readonly shownSince?: number;
  readonly shown: ShownEntries;
  readonly entries: readonly ThreadEntry[];
}

const NOTHING: KnownThread = {
  head: null,
  shown: { head: [], kept: [], from: 0 },
  entries: [],
};

export function createThread(name: string, known: KnownThread = NOTHING): Thread {
  let { head, shown, shownSince } = known;
  const entries: ThreadEntry[] = [...known.entries];
  const sent = entries.map(({ message }) => withoutName(message));
  let pending: ModelMessage[] = [];
  let ratio = known.ratio ?? 1_000;
  let isHeld = false;
  let isRefused = known.isRefused ?? false;
  const tally = createTally();
  for (const { message } of entries) tally.add(message);
  return {
    name,
    head: () => head,
    shown: () => shown,
    entries: () => entries,
    sent: () => sent,
    count: () => shown.from + entries.length,
    size: () => ({
      tokens: tally.tokens(),
      bytes: tally.bytes(),
      fileBytes: tally.fileBytes(),
    }),
    wholeBytes: () => tally.bytes() + measureMessages([...shown.head, ...shown.kept]),
    since: () => {
      const first = entries[0]?.since;
      if (first === undefined || shownSince === undefined) return first ?? shownSince;
      return Math.min(first, shownSince);
    },
    ratio: () => ratio,
    raiseRatio: (counted) => {
      ratio = Math.max(ratio, Math.min(counted, TOKEN_RATIO_MAX));
    },
    countForeign: tally.countForeign,
    isRefused: () => isRefused,
    refuse: () => {
      isRefused = true;
    },
    hold: () => {
      if (isHeld) return false;
      isHeld = true;
      return true;
    },
    release: () => {
      isHeld = false;
    },
    pending: () => pending,
    say: (messages) => {
      for (const message of messages) tally.add(message);
      pending.push(...messages);
      // A model that answered has accepted the request.
      if (messages.some(({ role }) => role === "assistant")) isRefused = false;
    },
    record: (recorded) => {
      for (const message of pending) {
        entries.push({ message, since: recorded.since });
        sent.push(withoutName(message));
      }
      pending = [];
      head = recorded.head;
      if (recorded.shown === undefined) return;
      const leftCount = recorded.shown.from - shown.from;
      const left = entries.splice(0, leftCount);
      sent.splice(0, leftCount);
      for (const { message } of left) tally.remove(message);
      [shown, shownSince] = [recorded.shown, recorded.since];
    },
  };
}
