import type { LiveDelta } from "@turnseal/protocol/streaming";
import type { LiveBus, LiveListener, LiveWatch } from "./live-bus.ts";

/** The kept length of one message, for watchers that join while it is being written. */
export const LIVE_TEXT_LENGTH_MAX = 4_000_000;

/** How many messages of one run are kept while they are being written; the oldest goes first. */
export const LIVE_MESSAGES_MAX = 256;

/** Of how many runs messages are kept; a worker that died may never finish its own. */
export const LIVE_RUNS_MAX = 10_000;

/** The kept part of a message that is being written. */
interface Written {
  readonly first: LiveDelta;
  readonly pieces: string[];
  length: number;
}

/** The bus of one process: publishers and watchers are in it. */
export function memoryLiveBus(): LiveBus {
  const listeners = new Map<string, Set<LiveListener>>();
  const written = new Map<string, Map<string, Written>>();
  const tell = (run: string, say: (listener: LiveListener) => void) => {
    for (const listener of listeners.get(run) ?? []) tellOne(listener, say);
  };
  return {
    publish: (delta) => {
      const messages = written.get(delta.run) ?? new Map<string, Written>();
      const isNews = keepPiece(messages, delta);
      if (messages.size > 0)
        setBounded(written, { key: delta.run, value: messages }, LIVE_RUNS_MAX);
      if (isNews) tell(delta.run, (listener) => listener.delta(delta));
    },
    moved: (run) => tell(run, (listener) => listener.moved()),
    finish: ({ run, key }) => {
      const messages = written.get(run) ?? new Map<string, Written>();
      for (const [name, { first }] of messages) if (first.key === key) messages.delete(name);
      if (messages.size === 0) written.delete(run);
    },
    watch: (run, listener) => {
      for (const { first, pieces } of written.get(run)?.values() ?? [])
        tellOne(listener, () => listener.delta({ ...first, text: pieces.join("") }));
      return addListener(listeners, run, listener);
    },
  };
}

/** Adds a piece to what is kept; false for one of an attempt that a later one has made void. */
function keepPiece(messages: Map<string, Written>, delta: LiveDelta): boolean {
  const name = `${delta.kind} ${delta.part} ${delta.key}`;
  const known = messages.get(name);
  if (known !== undefined && delta.epoch < known.first.epoch) return false;
  if (delta.offset === 0) {
    const value = { first: delta, pieces: [delta.text], length: delta.text.length };
    setBounded(messages, { key: name, value }, LIVE_MESSAGES_MAX);
    return true;
  }
  // Without its beginning it cannot go to later watchers, but earlier ones have had it.
  if (known === undefined) return true;
  if (delta.epoch !== known.first.epoch || delta.offset !== known.length) {
    messages.delete(name);
    return true;
  }
  known.length += delta.text.length;
  if (known.length <= LIVE_TEXT_LENGTH_MAX) known.pieces.push(delta.text);
  // A message that does not fit is dropped as a whole: its beginning alone would look complete.
  else messages.delete(name);
  return true;
}

/** Sets an entry as the newest; past the maximum the oldest goes. */
function setBounded<Value>(
  map: Map<string, Value>,
  { key, value }: { readonly key: string; readonly value: Value },
  max: number,
): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}

function addListener(
  listeners: Map<string, Set<LiveListener>>,
  run: string,
  listener: LiveListener,
): LiveWatch {
  const watching = listeners.get(run) ?? new Set();
  listeners.set(run, watching);
  // An object of its own: the same listener may watch twice.
  const entry: LiveListener = {
    delta: (delta) => listener.delta(delta),
    moved: () => listener.moved(),
  };
  watching.add(entry);
  return {
    ready: Promise.resolve(),
    close: () => {
      watching.delete(entry);
      if (watching.size === 0 && listeners.get(run) === watching) listeners.delete(run);
    },
  };
}

/** One listener that throws must not keep the others, or the publisher, from going on. */
function tellOne(listener: LiveListener, say: (listener: LiveListener) => void): void {
  try {
    say(listener);
  } catch {
    // Its own fault, and nobody here can do anything about it.
  }
}
