/**
 * One open connection: bytes that wait for its reader, and no more of them than a limit.
 *
 * A reader that is too slow is cut, and its waiting data is dropped. The log has everything, and
 * the reader comes back with the id of its last event.
 */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Hands bytes to the reader; does nothing on a stream that has ended. */
  send(bytes: Uint8Array): void;
  /** Ends it after what was sent. */
  end(): void;
  /** Ends it at once. */
  cut(): void;
  /** Resolves when nothing waits any more, or when it has ended. */
  drained(): Promise<void>;
}

export interface EventStreamOptions {
  readonly bytesMax: number;
  /** Called once, when it ends for any reason. */
  readonly onEnd: () => void;
  /** Ends the connection itself; without it the reader sees an error in the body. */
  readonly destroy?: () => void;
}

export function openEventStream(options: EventStreamOptions): EventStream {
  const { bytesMax, onEnd, destroy } = options;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let wake = (): void => {};
  const finish = (act: (open: ReadableStreamDefaultController<Uint8Array>) => void): void => {
    const open = controller;
    if (open === undefined) return;
    controller = undefined;
    act(open);
    wake();
    onEnd();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (opened) => {
        controller = opened;
      },
      pull: () => wake(),
      cancel: () => finish(() => {}),
    },
    { highWaterMark: 1, size: (bytes) => bytes.byteLength },
  );
  const waitingBytes = (): number => 1 - (controller?.desiredSize ?? 1);
  const cut = (): void =>
    finish((open) => (destroy === undefined ? open.error(new Error("cut")) : destroy()));
  return {
    body,
    send: (bytes) => {
      if (controller === undefined) return;
      if (waitingBytes() + bytes.byteLength > bytesMax && waitingBytes() > 0) cut();
      else controller.enqueue(bytes);
    },
    end: () => finish((open) => open.close()),
    cut,
    drained: () =>
      controller === undefined || waitingBytes() <= 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = resolve;
          }),
  };
}
