/**
 * The end of one run's log, read once for everybody in this process who watches the run.
 *
 * 1. It watches the bus before it first looks at the log: what is published after that is seen.
 * 2. All readers get the same in the same order: pieces and events as they came, and the state
 *    after its events.
 * 3. The bus only wakes it. Without one, or when it is away, it looks from time to time, ever more
 *    seldom while nothing happens.
 */
import {
  openSession,
  type RunState,
  readEvents,
  readRunState,
  type SessionReader,
} from "@turnseal/host";
import { invariant } from "@turnseal/protocol";
import { type EventEnvelope, formatEnvelopeId } from "@turnseal/protocol/events";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import type { SessionHost } from "../session-host.ts";
import { renderEvent, renderState } from "./frames.ts";
import { createLookout } from "./lookout.ts";
import type { Pace } from "./pace.ts";
import { createPieces } from "./pieces.ts";

/** A reader of the tail. */
export interface TailReader {
  event(event: EventEnvelope, bytes: Uint8Array): void;
  delta(bytes: Uint8Array, delta: LiveDelta): void;
  state(bytes: Uint8Array, state: RunState): void;
  /** The run is done: nothing will follow. */
  end(): void;
}

export interface RunTail {
  /** Resolves when it watches, and knows where the log stands. */
  readonly ready: Promise<void>;
  /** The last event of the log that readers have. */
  sequence(): number;
  /** Adds a reader; it gets the present pieces and the state at once. */
  join(reader: TailReader): () => void;
  close(): void;
}

export interface TailOptions {
  readonly host: SessionHost;
  readonly run: string;
  readonly pace: Pace;
}

/** When an idle log is read. */
const POLL_MS = { firstMs: 250, lastMs: 4_000 };
/** The same where a bus tells: only what it has lost is found so. */
const LIVE_POLL_MS = { firstMs: 1_000, lastMs: 15_000 };

export function openRunTail({ host, run, pace }: TailOptions): RunTail {
  const { live } = host;
  const readers = new Set<TailReader>();
  const pieces = createPieces(run);
  let sequence = 0;
  let state: RunState | undefined;
  let session: SessionReader | undefined;
  const tell = (say: (reader: TailReader) => void): void => [...readers].forEach(say);
  /** Tells what the log has up to here, at least. */
  const readUpTo = async (head: number, open: SessionReader): Promise<void> => {
    const from = sequence + 1;
    for (let isEnd = false; !isEnd; ) {
      const page = await open.read();
      ({ isEnd } = page);
      for (const event of page.envelopes) {
        ({ sequence } = event);
        const bytes = renderEvent(event);
        tell((reader) => reader.event(event, bytes));
      }
    }
    sequence = Math.max(sequence, head);
    if (!pieces.hasOpen()) return;
    for await (const event of readEvents(host.stores.log, run, from)) pieces.apply(event);
  };
  /** The state after the reported events: new events of the log come first. */
  const readState = async (head: number, open: SessionReader): Promise<RunState> => {
    await readUpTo(head, open);
    const now = await readRunState(host, run);
    return now.sequence <= sequence ? now : readState(now.sequence, open);
  };
  const look = async (): Promise<"moved" | "still" | "done"> => {
    const head = (await host.stores.log.readHead(run))?.sequence ?? 0;
    if (state !== undefined && head === sequence) return "still";
    // A reader that joins reads the earlier events itself.
    if (session === undefined) sequence = head;
    session ??= await openAtEnd(host, run, head);
    const now = await readState(head, session);
    const bytes = renderState(now);
    // Set this late on purpose: a reader that joins during the read gets the state below, and would
    // miss these events.
    state = now;
    tell((reader) => reader.state(bytes, now));
    if (now.status !== "done") return "moved";
    tell((reader) => reader.end());
    return "done";
  };
  const lookout = createLookout({
    look: () => pace(look),
    ...(live === undefined ? POLL_MS : LIVE_POLL_MS),
  });
  const watch = live?.watch(run, { delta: pieces.publish, moved: lookout.wake });
  return {
    ready: Promise.resolve(watch?.ready).then(lookout.look),
    sequence: () => sequence,
    join: (reader) => {
      readers.add(reader);
      const stop = pieces.watch((bytes, delta) => reader.delta(bytes, delta));
      if (state !== undefined) reader.state(renderState(state), state);
      if (state?.status === "done") reader.end();
      return () => {
        stop();
        readers.delete(reader);
      };
    },
    close: () => {
      lookout.close();
      watch?.close();
    },
  };
}

/** The session from the end of the log on. */
async function openAtEnd(
  { stores }: SessionHost,
  run: string,
  sequence: number,
): Promise<SessionReader> {
  const after = formatEnvelopeId({ run, sequence, index: ENVELOPE_INDEX_MAX });
  const opened = await openSession(stores, run, sequence === 0 ? {} : { after });
  invariant(opened.kind === "opened", "the end of a run's log is a place of it");
  return opened.reader;
}

/** After every envelope of an event. */
const ENVELOPE_INDEX_MAX = 999_999;
