/**
 * One reader of one run. It gets the stored events after its place, then the present pieces, and
 * then new ones, without a gap and without a repeat.
 *
 * It joins first and reads the past then: new events wait for it, within the limit of its stream.
 * The past ends at the point of the join.
 */
import { openSession } from "@turnseal/host";
import { invariant } from "@turnseal/protocol";
import {
  type EnvelopePlace,
  type EventEnvelope,
  formatEnvelopeId,
  parseEnvelopeId,
} from "@turnseal/protocol/events";
import type { SessionHost } from "../session-host.ts";
import type { EventStream } from "./event-stream.ts";
import { renderEvent } from "./frames.ts";
import type { RunTail, TailReader } from "./run-tail.ts";

/** A run with an open stream. */
export interface TailedStream {
  readonly host: SessionHost;
  readonly run: string;
  readonly tail: RunTail;
  readonly bufferBytesMax: number;
}

export interface WatchedRun extends TailedStream {
  readonly after: EnvelopePlace | undefined;
}

/** Receives the stream of a run: a response, or a translator into another stream format. */
export interface RunSink extends TailReader, Pick<EventStream, "drained" | "cut"> {}

/** A stream of the frames themselves. */
export function toSink({ send, end, drained, cut }: EventStream): RunSink {
  return { event: (_, bytes) => send(bytes), delta: send, state: send, end, drained, cut };
}

export interface RunWatch {
  /** Resolves when the stored events are sent. */
  readonly caughtUp: Promise<void>;
  /** Tells nothing more. */
  leave(): void;
}

/** Tells everything, until it is left. */
export function watchRun(sink: RunSink, watched: WatchedRun): RunWatch {
  const { tail, after, bufferBytesMax } = watched;
  let leave = (): void => {};
  let isLeft = false;
  const catchUp = async (): Promise<void> => {
    await tail.ready;
    if (isLeft) return;
    const waiting = createWaiting(sink, { after, bytesMax: bufferBytesMax });
    leave = tail.join({
      event: (event, bytes) => waiting.tell(bytes, () => sink.event(event, bytes), event),
      delta: (bytes, delta) => waiting.tell(bytes, () => sink.delta(bytes, delta)),
      state: (bytes, state) => waiting.tell(bytes, () => sink.state(bytes, state)),
      end: waiting.end,
    });
    let last = after;
    for await (const event of readPast(watched, tail.sequence())) {
      last = parseEnvelopeId(event.id);
      sink.event(event, renderEvent(event));
      await sink.drained();
      if (isLeft) return;
    }
    waiting.release(last);
  };
  return {
    caughtUp: catchUp(),
    leave: () => {
      isLeft = true;
      leave();
    },
  };
}

/** Reads the stored events up to the point where the reader joined. */
async function* readPast(
  { host, run, after }: WatchedRun,
  until: number,
): AsyncGenerator<EventEnvelope> {
  const place = after === undefined ? {} : { after: formatEnvelopeId(after) };
  const opened = await openSession(host.stores, run, place);
  invariant(opened.kind === "opened", "the place was looked at before");
  for (let isEnd = false; !isEnd; ) {
    const page = await opened.reader.read();
    ({ isEnd } = page);
    for (const event of page.envelopes) {
      if (event.sequence > until) return;
      yield event;
    }
  }
}

interface Told {
  readonly say: () => void;
  readonly event?: EventEnvelope | undefined;
}

/**
 * Holds back live events until the stored ones are sent, and cuts a reader with too many waiting.
 * If the stored part ended inside an event, the rest of that event follows.
 */
function createWaiting(
  sink: RunSink,
  { after, bytesMax }: { readonly after: EnvelopePlace | undefined; readonly bytesMax: number },
) {
  let kept: Told[] | undefined = [];
  let [last, waitingBytes, hasEnded] = [after, 0, false];
  const send = ({ say, event }: Told): void => {
    if (event === undefined || isAfter(event, last)) say();
  };
  return {
    tell: (bytes: Uint8Array, say: () => void, event?: EventEnvelope): void => {
      if (kept === undefined) {
        send({ say, event });
        return;
      }
      waitingBytes += bytes.byteLength;
      if (waitingBytes > bytesMax) sink.cut();
      else kept.push({ say, event });
    },
    end: (): void => {
      hasEnded = true;
      if (kept === undefined) sink.end();
    },
    release: (told: EnvelopePlace | undefined): void => {
      last = told;
      const waited = kept ?? [];
      kept = undefined;
      waited.forEach(send);
      if (hasEnded) sink.end();
    },
  };
}

function isAfter({ id, sequence }: EventEnvelope, last: EnvelopePlace | undefined): boolean {
  if (last === undefined || sequence !== last.sequence)
    return last === undefined || sequence > last.sequence;
  return (parseEnvelopeId(id)?.index ?? 0) > last.index;
}
