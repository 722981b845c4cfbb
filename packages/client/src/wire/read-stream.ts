import { createParser } from "eventsource-parser";
import { retryAfterMs } from "./backoff.ts";
import { FRAME_LENGTH_MAX, type Frame, parseFrame } from "./parse-frame.ts";
import { requestRun, type ServerAddress } from "./server-address.ts";
import { readRefusal, type ServerRefusal } from "./server-refusal.ts";

/** Milliseconds without a word after which a connection counts as lost; servers say more often. */
export const SILENCE_MS_DEFAULT = 60_000;

/** How one connection ended. */
export type StreamEnd =
  /** The server closed it, and meant to. */
  | { readonly kind: "complete" }
  | { readonly kind: "lost"; readonly waitMs: number }
  | { readonly kind: "refused"; readonly refusal: ServerRefusal };

export interface StreamReading {
  /** The last event that is known. */
  readonly after: string | undefined;
  readonly silenceMs?: number;
  readonly signal: AbortSignal;
  opened(): void;
  /** The frames that arrived together. */
  take(frames: readonly Frame[]): void;
}

/** Holds one connection until it ends. */
export async function readStream(
  address: ServerAddress,
  reading: StreamReading,
): Promise<StreamEnd> {
  const { after, signal, silenceMs = SILENCE_MS_DEFAULT } = reading;
  const silence = watchSilence(silenceMs);
  try {
    const response = await requestRun(address, {
      path: "stream",
      init: {
        headers: {
          accept: "text/event-stream",
          ...(after === undefined ? {} : { "last-event-id": after }),
        },
        cache: "no-store",
        signal: AbortSignal.any([signal, silence.signal]),
      },
    });
    if (isPassing(response.status)) return { kind: "lost", waitMs: retryAfterMs(response) };
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!response.ok || response.body === null || isStream !== true)
      return { kind: "refused", refusal: await readRefusal(response) };
    reading.opened();
    return await readFrames(response.body, reading, silence.heard);
  } catch {
    return { kind: "lost", waitMs: 0 };
  } finally {
    silence.stop();
  }
}

/** Whether the same request may be answered otherwise a moment later. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

async function readFrames(
  body: ReadableStream<Uint8Array>,
  { take }: StreamReading,
  heard: () => void,
): Promise<StreamEnd> {
  let frames: Frame[] = [];
  const parser = createParser({
    maxBufferSize: FRAME_LENGTH_MAX,
    onEvent: (message) => {
      const frame = parseFrame(message);
      if (frame !== undefined) frames.push(frame);
    },
    onError: (error) => {
      // The stream cannot be read any more; a meaningless line is no reason to stop.
      if (error.type === "max-buffer-size-exceeded") throw error;
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { kind: "complete" };
    heard();
    parser.feed(decoder.decode(value, { stream: true }));
    if (frames.length > 0) take(frames);
    frames = [];
  }
}

interface Silence {
  readonly signal: AbortSignal;
  readonly heard: () => void;
  readonly stop: () => void;
}

function watchSilence(silenceMs: number): Silence {
  const controller = new AbortController();
  const begin = () => setTimeout(() => controller.abort(), silenceMs);
  let timer = begin();
  return {
    signal: controller.signal,
    heard: () => {
      clearTimeout(timer);
      timer = begin();
    },
    stop: () => {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
