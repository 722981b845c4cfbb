/** The messages of one run that are being written, for everybody here who watches it. */

import { memoryLiveBus } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { messageOf, renderDelta } from "./frames.ts";

export interface Pieces {
  publish(delta: LiveDelta): void;
  /** True while something is being written. */
  hasOpen(): boolean;
  /**
   * An event of the log: an action that has ended is no longer being written, and pieces of it come
   * too late. The pieces of a failed action are withdrawn, since they will not be stored.
   */
  apply(event: LoopEvent): void;
  /** Sends all of the present text, and then every piece; returns a function that stops it. */
  watch(tell: (bytes: Uint8Array, delta: LiveDelta) => void): () => void;
}

/** The most ended actions that are remembered, to drop their late pieces. */
export const ENDED_ACTIONS_MAX = 256;

export function createPieces(run: string): Pieces {
  const bus = memoryLiveBus();
  /** The latest piece of each message that is being written, by the key of its action. */
  const open = new Map<string, Map<string, LiveDelta>>();
  const ended = new Set<string>();
  let rendered: { readonly delta: LiveDelta; readonly bytes: Uint8Array } | undefined;
  /** The same piece goes to everybody: it is rendered once. */
  const render = (delta: LiveDelta): Uint8Array => {
    if (rendered?.delta !== delta) rendered = { delta, bytes: renderDelta(delta) };
    return rendered.bytes;
  };
  return {
    publish: (delta) => {
      if (delta.run !== run || ended.has(delta.key)) return;
      const parts = open.get(delta.key) ?? new Map<string, LiveDelta>();
      open.set(delta.key, parts.set(messageOf(delta), delta));
      bus.publish(delta);
    },
    hasOpen: () => open.size > 0,
    apply: (event) => {
      const isEnd =
        event.type === "action.settled" ||
        event.type === "action.unknown" ||
        event.type === "action.resolved";
      if (!isEnd) return;
      const { key } = event.content;
      if (event.type !== "action.settled" || event.content.status !== "ok")
        for (const latest of open.get(key)?.values() ?? []) bus.publish(takeBack(latest));
      bus.finish({ run, key });
      open.delete(key);
      // An action that is unknown, or that a person resolved, may be retried under the same key.
      if (event.type !== "action.settled") return;
      ended.add(key);
      const [oldest] = ended;
      if (ended.size > ENDED_ACTIONS_MAX && oldest !== undefined) ended.delete(oldest);
    },
    watch: (tell) => {
      const watch = bus.watch(run, {
        delta: (delta) => tell(render(delta), delta),
        moved: () => {},
      });
      return () => watch.close();
    },
  };
}

/** A message that begins again with nothing: readers remove it. */
function takeBack(delta: LiveDelta): LiveDelta {
  return { ...delta, offset: 0, text: "" };
}
