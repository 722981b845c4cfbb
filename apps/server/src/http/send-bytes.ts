/** Bytes that are handed over at once. */
const SLICE_BYTES = 64 * 1024;

export interface Sending {
  /** How long the client may take for all of it; then it is cut. */
  readonly withinMs: number;
  /** Called when the reader is gone. */
  readonly onEnd: () => void;
  /** Ends the connection, where there is one to end. */
  readonly destroy?: (() => void) | undefined;
}

/**
 * Bytes at the pace of their reader. It notices the end of the reading, so that a client that does
 * not read holds memory for a limited time only.
 */
export function sendBytes(
  bytes: Uint8Array<ArrayBuffer>,
  { withinMs, onEnd, destroy }: Sending,
): ReadableStream<Uint8Array> {
  let at = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    onEnd();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const cut = (): void => {
          end();
          if (destroy === undefined) controller.error(new Error("it was not read in time"));
          else destroy();
        };
        timer = setTimeout(cut, withinMs).unref();
      },
      pull: (controller) => {
        const slice = bytes.subarray(at, at + SLICE_BYTES);
        at += slice.length;
        controller.enqueue(slice);
        if (at < bytes.length) return;
        controller.close();
        end();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
