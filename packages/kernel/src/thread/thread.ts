/**
 * The ordered entries that a prompt can be shown again (spec/context.md): what was said to it, its
 * answers, and the results of its tools.
 *
 * 1. An entry is added once and never changed. Its number is its place in the thread.
 * 2. What is pending was said after the last recorded request: the next request records it, or else
 *    the end of the turn.
 * 3. How large the entries are is kept up as they come and go: a request costs what it adds.
 */
import type { ModelMessage } from "@turnseal/ports";
import type { SummarizedSpan } from "@turnseal/protocol";
import { withoutName } from "../context/foreign-answers.ts";
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
  /** What stands in the place of entries that were left out. */
  readonly kept: readonly ModelMessage[];
  /** The number of the first entry that is shown. */
  readonly from: number;
  /** What the first of `kept` is a summary of, where it is one. */
  readonly summarized?: SummarizedSpan;
}

/** Of what is shown. */
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
  /** Their messages, as they are sent to whoever gave all of the answers. */
  sent(): readonly ModelMessage[];
  /** The number of the next entry that is recorded. */
  count(): number;
  /** Entries and what is pending. */
  size(): ThreadSize;
  /** With what stands before the entries. */
  wholeBytes(): number;
  /** The event from which on all that is shown can be read; undefined before one recorded it. */
  since(): number | undefined;
  /** Tokens that a provider counted for 1,000 estimated ones; 1,000 where it never counted more. */
  ratio(): number;
  /** A provider counted so many. */
  raiseRatio(counted: number): void;
  /** How many shown answers of others than `by` carry what only their maker wants back. */
  countForeign(by: string): number;
  /** True when a provider refused the latest request: what it was shown is not shown again. */
  isRefused(): boolean;
  refuse(): void;
  /** Takes it for one call, if no other call has it. */
  hold(): boolean;
  release(): void;
  pending(): readonly ModelMessage[];
  /** Says something after what is pending. */
  say(messages: readonly ModelMessage[]): void;
  /** What is pending stands in the log now. */
  record(recorded: RecordedPending): void;
}

export interface RecordedPending {
  readonly head: string;
  readonly since: number;
  readonly shown?: ShownEntries;
}

/** What is known of a thread when it is opened. */
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
      // Whoever answers has read it.
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
