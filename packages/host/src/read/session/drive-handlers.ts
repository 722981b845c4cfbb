/**
 * Follows a run and tells what happens to a `StreamHandlers`: what the log has, and between that
 * what is being written.
 *
 * The log is read before a message begins, so that the order is that of the session. A bus that is
 * away, or loses something, costs the sight of a text coming and nothing else.
 */
import type { Clock, LiveBus, LiveWatch, Stores } from "@turnseal/ports";
import type { LiveDelta, StreamHandlers, StreamResult } from "@turnseal/protocol/streaming";
import { createTeller, type Teller } from "@turnseal/views";
import { openSession, type SessionReader } from "./read-session.ts";

export interface DrivePorts {
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly clock: Clock;
  /** Without it only the log is reported. */
  readonly live?: LiveBus;
}

export interface DriveOptions {
  /** The id of the envelope after which it begins. */
  readonly after?: string;
  /** Ends it. The run goes on. */
  readonly signal?: AbortSignal;
  /** Ends the stream once everything in the log so far is reported. */
  readonly finish?: AbortSignal;
  /** True to end also when the turn waits for a person. */
  readonly untilWaiting?: boolean;
}

/** How often the log is read when no bus reports its growth. */
const LOOK_MS = 500;
/** The most pieces that wait; the rest are left out until their message is whole. */
export const WAITING_DELTAS_MAX = 10_000;

/** Tells everything after a place, until the run is over; undefined when it is no place of it. */
export async function driveHandlers(
  ports: DrivePorts,
  run: string,
  handlers: StreamHandlers,
  options: DriveOptions = {},
): Promise<StreamResult | undefined> {
  const { stores, live } = ports;
  const { after } = options;
  const opened = await openSession(stores, run, after === undefined ? {} : { after });
  if (opened.kind === "refused") return undefined;
  const news = createNews(ports.clock, [options.signal, options.finish]);
  const watch: LiveWatch | undefined = live?.watch(run, news);
  try {
    await watch?.ready;
    const told: Told = { lastEventId: after };
    return await follow(opened.reader, createTeller(handlers), { news, options, told });
  } finally {
    watch?.close();
    news.close();
  }
}

interface Told {
  lastEventId: string | undefined;
}

interface Following {
  readonly news: News;
  readonly options: DriveOptions;
  readonly told: Told;
}

async function follow(
  reader: SessionReader,
  teller: Teller,
  { news, options, told }: Following,
): Promise<StreamResult> {
  const end = (status: StreamResult["status"]): StreamResult => ({
    status,
    ...(told.lastEventId === undefined ? {} : { lastEventId: told.lastEventId }),
  });
  for (;;) {
    // Read before the log: events that were appended before the end are reported.
    const isLast = options.finish?.aborted === true;
    const { deltas, hasMoved } = news.take();
    const isEarly = isLast || hasMoved || deltas.some((delta) => teller.isNew(delta));
    const standing = isEarly ? await tellLog(reader, teller, told) : undefined;
    for (const delta of deltas) await teller.tellDelta(delta);
    if (options.signal?.aborted === true) return end("stopped");
    if (standing === "stopped") return end("done");
    const isEnough = isLast || (standing === "waiting" && options.untilWaiting === true);
    if (isEnough) return end("waiting");
    await news.wait();
  }
}

async function tellLog(reader: SessionReader, teller: Teller, told: Told) {
  for (;;) {
    const page = await reader.read();
    for (const envelope of page.envelopes) {
      await teller.tellEnvelope(envelope);
      told.lastEventId = envelope.id;
    }
    if (page.isEnd) return page.standing;
  }
}

interface News {
  delta(delta: LiveDelta): void;
  moved(): void;
  take(): { readonly deltas: readonly LiveDelta[]; readonly hasMoved: boolean };
  /** Until there is something, or it is time to look. */
  wait(): Promise<void>;
  close(): void;
}

function createNews(clock: Clock, signals: readonly (AbortSignal | undefined)[]): News {
  let deltas: LiveDelta[] = [];
  // The log is read first.
  let hasMoved = true;
  let wake = (): void => {};
  const stop = (): void => wake();
  for (const signal of signals) signal?.addEventListener("abort", stop);
  const isEnding = (): boolean => signals.some((signal) => signal?.aborted === true);
  return {
    delta: (delta) => {
      if (deltas.length < WAITING_DELTAS_MAX) deltas.push(delta);
      wake();
    },
    moved: () => {
      hasMoved = true;
      wake();
    },
    take: () => {
      const taken = { deltas, hasMoved };
      [deltas, hasMoved] = [[], false];
      return taken;
    },
    wait: () =>
      new Promise((resume) => {
        if (deltas.length > 0 || hasMoved || isEnding()) return resume();
        const cancel = clock.after(LOOK_MS, () => {
          hasMoved = true;
          wake();
        });
        wake = () => {
          cancel();
          resume();
        };
      }),
    close: () => {
      for (const signal of signals) signal?.removeEventListener("abort", stop);
    },
  };
}
