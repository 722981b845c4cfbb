/**
 * Reads the session of a run: its log, page by page, as envelopes.
 *
 * 1. Reading may begin after any envelope. State from before that place is folded again from the
 *    beginning of its turn, never from the beginning of the run.
 * 2. A page is bounded in envelopes and in bytes of content; what is erased shows as erased.
 */
import { holdBlobs } from "@turnseal/kernel";
import { READ_EVENTS_MAX, type Stores } from "@turnseal/ports";
import type { JsonValue, LoopEvent } from "@turnseal/protocol";
import { type EventEnvelope, parseEnvelopeId } from "@turnseal/protocol/events";
import { applySessionEvent, emptySession, type SessionState, type Standing } from "@turnseal/views";

type SessionStores = Pick<Stores, "log" | "blobs">;

interface SessionSources extends Pick<Stores, "log"> {
  /** Content that is what was stored: people decide by what a session shows. */
  readonly blobs: Pick<Stores["blobs"], "read">;
}

/** Envelopes of one page. */
export const SESSION_PAGE_MAX = 500;
/** Bytes of content after which a page ends: one envelope may go beyond it, and no second. */
export const SESSION_PAGE_BYTES_MAX = 4 * 1024 * 1024;
/** Events that are read at once to find where a turn began. */
const LOOK_BACK = 128;

export interface SessionOptions {
  /** The id of the envelope after which reading begins. */
  readonly after?: string;
}

export interface SessionPage {
  readonly envelopes: readonly EventEnvelope[];
  /** True when the log holds nothing more at this moment. */
  readonly isEnd: boolean;
  /** Where the run stood after what was read. */
  readonly standing: Standing;
}

export interface SessionReader {
  /** The next envelopes, at most `limit`; none when there is nothing new. */
  read(limit?: number): Promise<SessionPage>;
}

export type OpenedSession =
  | { readonly kind: "opened"; readonly reader: SessionReader }
  /** `after` names no place of this run. */
  | { readonly kind: "refused" };

/** Opens the session of a run for reading from a place on. */
export async function openSession(
  stores: SessionStores,
  run: string,
  { after }: SessionOptions = {},
): Promise<OpenedSession> {
  const place = after === undefined ? { run, sequence: 1, index: -1 } : parseEnvelopeId(after);
  if (place === undefined || place.run !== run) return { kind: "refused" };
  const sources = { log: stores.log, blobs: holdBlobs(stores.blobs) };
  const state = await foldUpTo(sources, run, place.sequence);
  return { kind: "opened", reader: createReader(sources, state, place) };
}

/** One page of the session of a run; undefined when `after` names no place of it. */
export async function readSession(
  stores: SessionStores,
  run: string,
  { limit, ...options }: SessionOptions & { readonly limit?: number } = {},
): Promise<SessionPage | undefined> {
  const opened = await openSession(stores, run, options);
  return opened.kind === "opened" ? opened.reader.read(limit) : undefined;
}

interface Cursor {
  readonly run: string;
  /** The next event, and the last envelope of it that was read. */
  readonly sequence: number;
  readonly index: number;
}

function createReader(
  stores: SessionSources,
  begin: SessionState,
  { run, sequence: from, index: seen }: Cursor,
): SessionReader {
  let state = begin;
  let sequence = from;
  let index = seen;
  const page = async (limit: number): Promise<SessionPage> => {
    const envelopes: EventEnvelope[] = [];
    let bytes = 0;
    for (;;) {
      const events = await stores.log.read(run, sequence, READ_EVENTS_MAX);
      for (const event of events) {
        const applied = await applyWithContent(stores, state, event);
        const left = applied.envelopes.slice(index + 1);
        const room = limit - envelopes.length;
        envelopes.push(...left.slice(0, room));
        if (left.length > room) {
          index += room;
          return { envelopes, isEnd: false, standing: state.standing };
        }
        ({ state } = applied);
        sequence = event.sequence + 1;
        index = -1;
        bytes += left.length === 0 ? 0 : applied.bytes;
        if (bytes >= SESSION_PAGE_BYTES_MAX)
          return { envelopes, isEnd: false, standing: state.standing };
      }
      if (events.length < READ_EVENTS_MAX)
        return { envelopes, isEnd: true, standing: state.standing };
    }
  };
  return {
    read: (limit = SESSION_PAGE_MAX) => page(Math.min(Math.max(limit, 1), SESSION_PAGE_MAX)),
  };
}

/** The state before an event: folded from the beginning of the turn that it is in. */
async function foldUpTo(
  stores: SessionSources,
  run: string,
  sequence: number,
): Promise<SessionState> {
  const before = await readTurnBefore(stores, run, sequence);
  const [first] = before;
  const isClosed = first?.type === "turn.closed";
  let state = isClosed ? { ...emptySession(run), turn: first.turn ?? 0 } : emptySession(run);
  for (const event of isClosed ? before.slice(1) : before)
    ({ state } = await applyWithContent(stores, state, event));
  return state;
}

/** The events before one, back to where the latest turn before it began or ended. */
async function readTurnBefore(
  { log }: SessionSources,
  run: string,
  sequence: number,
): Promise<readonly LoopEvent[]> {
  let found: readonly LoopEvent[] = [];
  for (let end = sequence; end > 1; ) {
    const from = Math.max(1, end - LOOK_BACK);
    const events = await log.read(run, from, end - from);
    const last = events.findLastIndex(({ type }) => turnEdges.has(type));
    found = [...events.slice(Math.max(last, 0)), ...found];
    if (last >= 0) return found;
    end = from;
  }
  return found;
}

const turnEdges: ReadonlySet<string> = new Set(["turn.started", "turn.closed"]);

/** Applies an event with the content that it turns out to need. */
async function applyWithContent({ blobs }: SessionSources, state: SessionState, event: LoopEvent) {
  const known = new Map<string, JsonValue | undefined>();
  let bytes = 0;
  for (;;) {
    const missing = new Set<string>();
    const applied = applySessionEvent(state, event, (reference) => {
      if (reference === null || reference === undefined) return undefined;
      const { digest } = reference;
      if (!known.has(digest)) missing.add(digest);
      return known.get(digest);
    });
    if (missing.size === 0) return { ...applied, bytes };
    for (const digest of missing) {
      const content = await blobs.read(event.run, digest);
      bytes += content?.length ?? 0;
      known.set(digest, content === undefined ? undefined : parseContent(content));
    }
  }
}

function parseContent(bytes: Uint8Array): JsonValue {
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
}
