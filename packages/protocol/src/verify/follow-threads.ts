/**
 * Follows threads (spec/receipt.md §6.6): each request goes on where the one before it in its
 * thread ended. Digests of content are keyed, so that a stranger cannot make them again; but what
 * the log says of one thread in two places must be the same.
 */
import { isPlainObject, type JsonObject } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { type Finding, finding } from "./finding.ts";

export interface ThreadFollower {
  follow(event: RawEvent): Finding[];
}

interface KnownThread {
  /** The number of the next entry; undefined if requests of another meaning came before. */
  readonly count: number | undefined;
  /**
   * The digest of the whole, where an event has named it; undefined if only its key makes it.
   */
  readonly head: unknown;
  /** The last request of the turn: a repeated one must be the same. */
  readonly last?: { readonly at: number; readonly previous: unknown };
}

const EMPTY: KnownThread = { count: 0, head: null };
const UNKNOWN: KnownThread = { count: undefined, head: undefined };
const ROOT = "/";

export function followThreads(): ThreadFollower {
  const threads = new Map<string, KnownThread>();
  const claim = (event: RawEvent, context: JsonObject): Finding[] => {
    const { thread, at, added, previous } = context;
    if (typeof thread !== "string") {
      // Requests of before there were threads are in that of the root.
      if (event.parentCall === undefined) threads.set(ROOT, UNKNOWN);
      return [];
    }
    const { count, head, last } = threads.get(thread) ?? EMPTY;
    if (!isCount(at) || !Array.isArray(added) || !isHead(previous)) return [misfit(event)];
    threads.set(thread, { count: at + added.length, head: undefined, last: { at, previous } });
    const isAgain = last !== undefined && at === last.at && previous === last.previous;
    const isNext = at === (count ?? at) && (head === undefined || previous === head);
    return isAgain || isNext ? [] : [misfit(event)];
  };
  const end = (event: RawEvent, ended: unknown): Finding[] => {
    if (!isPlainObject(ended) || typeof ended["thread"] !== "string") return [misfit(event)];
    const { thread, at, added, head } = ended;
    const { count, last } = threads.get(thread) ?? EMPTY;
    if (!isCount(at) || !Array.isArray(added) || typeof head !== "string") return [misfit(event)];
    threads.set(thread, { count: at + added.length, head });
    // The start of a run says where its threads begin; a request that cannot be repeated is
    // replaced.
    const isFit = at === (count ?? at) || at === last?.at;
    return event.type === "run.started" || isFit ? [] : [misfit(event)];
  };
  return {
    follow: (event) => {
      const { type, content } = event;
      if (type === "action.claimed" && content["action"] === "model")
        return isPlainObject(content["context"])
          ? claim(event, content["context"] as JsonObject).slice(0, 1)
          : [];
      if (type !== "turn.closed" && type !== "run.started") return [];
      const ended = Array.isArray(content["threads"]) ? content["threads"] : [];
      const findings = ended.flatMap((one) => end(event, one));
      // Another turn starts with fresh requests.
      for (const [name, { count, head }] of threads) threads.set(name, { count, head });
      return findings.slice(0, 1);
    },
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isHead(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function misfit({ sequence, turn }: RawEvent): Finding {
  const place = { sequence, ...(turn === undefined ? {} : { turn }) };
  return finding("THREAD_MISMATCH", "a thread does not go on where it ended", place);
}
