/** The wish to stop a call, and whose it was. */
export interface StopListener {
  readonly signal: AbortSignal;
  cause(): "Ctrl-C" | "SIGTERM" | "--timeout";
  release(): void;
}

/**
 * Listens for the first Ctrl-C and for a time to pass. A second Ctrl-C ends the process, as it does
 * by default.
 */
export function listenForStop(timeoutMs: number | undefined): StopListener {
  const interrupt = new AbortController();
  const terminate = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  const onTerminate = (): void => terminate.abort();
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onTerminate);
  const timeout = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
  return {
    signal: AbortSignal.any([interrupt.signal, terminate.signal, ...timeout]),
    cause: () => {
      if (interrupt.signal.aborted) return "Ctrl-C";
      return terminate.signal.aborted ? "SIGTERM" : "--timeout";
    },
    release: () => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
    },
  };
}
