/**
 * Ends the process when its event loop has stopped, as in a tool that loops without an end. No
 * timer fires in such a process, and it handles no signal. The run counts a lost worker, as after a
 * crash.
 */
import { url as inspectorUrl } from "node:inspector";
import { Worker } from "node:worker_threads";
import type { LogFacts } from "../worker-log.ts";
import { BEAT_MS, PLACE_SYMBOL, STALL_THREAD, type StallData } from "./stall-thread.ts";

/** How many tools are named where the stopped thread does not answer. */
const NAMED_MAX = 16;
const NAMES_BYTES_MAX = 8_192;

export interface StallOptions {
  /** How long the event loop may stand still; with 0 it is not watched. */
  readonly stallMaxMs: number;
  readonly placeOf: () => LogFacts | undefined;
  /** Where log lines go. */
  readonly logFd?: number;
}

export interface StallWatch {
  /** Notes what is executed, for as long as it is. */
  during<Result>(place: LogFacts, act: () => Promise<Result>): Promise<Result>;
  close(): void;
}

export function watchStall({ stallMaxMs, placeOf, logFd = 1 }: StallOptions): StallWatch {
  // A debugger stops the event loop as well, and on purpose.
  if (stallMaxMs === 0 || inspectorUrl() !== undefined)
    return { during: (_, act) => act(), close: () => {} };
  const beats = new Int32Array(new SharedArrayBuffer(8));
  const names = new Uint8Array(new SharedArrayBuffer(NAMES_BYTES_MAX));
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const data: StallData = { watchesStall: true, beats, names, stallMaxMs, logFd };
  const thread = new Worker(STALL_THREAD, { workerData: data, execArgv: [], env: {} });
  thread.unref();
  const symbol = Symbol.for(PLACE_SYMBOL);
  Object.defineProperty(process, symbol, {
    value: () => JSON.stringify(placeOf() ?? {}),
    configurable: true,
  });
  const acting = new Set<LogFacts>();
  const note = (): void => {
    const text = JSON.stringify([...acting].slice(-NAMED_MAX));
    const { read, written } = new TextEncoder().encodeInto(text, names);
    Atomics.store(beats, 1, read === text.length ? written : 0);
  };
  return {
    during: async (place, act) => {
      acting.add(place);
      note();
      try {
        return await act();
      } finally {
        acting.delete(place);
        note();
      }
    },
    close: () => {
      clearInterval(timer);
      void thread.terminate();
      Reflect.deleteProperty(process, symbol);
    },
  };
}
