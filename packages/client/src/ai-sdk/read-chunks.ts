/** The chunks of one turn, over as many connections as it takes. */

import type { UIMessageChunk } from "ai";
import { createParser } from "eventsource-parser";

/** The place in a message: its turn, and the number of steps the page has. */
export interface ChunkPlace {
  readonly turn: number;
  readonly steps: number;
}

export interface ChunkReading {
  readonly signal?: AbortSignal | undefined;
  /** Steps that the page had before. */
  readonly steps?: number;
  /** Opens another connection from a place on; from the beginning where nothing has come yet. */
  again(place: ChunkPlace | undefined): Promise<Response>;
}

/** Characters of one chunk, and of what has arrived of one. */
const CHUNK_LENGTH_MAX = 4 * 1024 * 1024;

export function readChunks(
  first: Response,
  { signal, steps: before = 0, again }: ChunkReading,
): ReadableStream<UIMessageChunk> {
  let place: ChunkPlace | undefined;
  let isStopped = false;
  return new ReadableStream<UIMessageChunk>({
    start: async (controller) => {
      const take = (chunk: UIMessageChunk, isAgain: boolean): void => {
        if (chunk.type === "start") {
          // The message goes on under the same name: the page must not begin it again.
          const isKnown = isAgain && place !== undefined;
          place ??= { turn: turnOf(chunk.messageId), steps: before };
          if (isKnown) return;
        }
        if (chunk.type === "start-step" && place !== undefined)
          place = { ...place, steps: place.steps + 1 };
        controller.enqueue(chunk);
      };
      let [response, isAgain] = [first, false];
      try {
        for (;;) {
          const isWhole = await readBody(response, (chunk) => take(chunk, isAgain), signal);
          if (isWhole || isStopped) break;
          signal?.throwIfAborted();
          response = await again(place);
          isAgain = true;
        }
        if (!isStopped) controller.close();
      } catch (error) {
        if (!isStopped) controller.error(error);
      }
    },
    cancel: () => {
      isStopped = true;
    },
  });
}

/** The name of a message is that of its turn. */
function turnOf(messageId: string | undefined): number {
  return Number(messageId?.split("/")[1] ?? 0);
}

/** True when the message is complete; false when the connection ended before. */
async function readBody(
  { body, status }: Response,
  take: (chunk: UIMessageChunk) => void,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // Meanwhile all has come to rest.
  let isWhole = status === 204;
  const parser = createParser({
    maxBufferSize: CHUNK_LENGTH_MAX,
    onEvent: ({ data }) => {
      if (data === "[DONE]") isWhole = true;
      else if (!isWhole) take(JSON.parse(data) as UIMessageChunk);
    },
  });
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  try {
    while (reader !== undefined && !isWhole) {
      const { done, value } = await reader.read();
      if (done) break;
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    if (signal?.aborted) throw error;
  }
  return isWhole;
}
