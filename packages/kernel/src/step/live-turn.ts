/**
 * The live output of a turn, for its watchers.
 *
 * Publishing never waits: an unreachable or throwing bus changes nothing.
 */
import type { LiveBus } from "@turnseal/ports";
import type { LiveMessage } from "@turnseal/protocol/streaming";
import { ANSWER_BYTES_MAX } from "../limits.ts";
import type { ActGiven } from "./action.ts";

export interface LiveTurn {
  /** Opens what one attempt of an action writes. */
  open(given: Pick<ActGiven, "key" | "epoch" | "signal">): LiveWriter;
}

export interface LiveWriter {
  /** Publishes the next piece of a part. After the end of the attempt it does nothing. */
  write(message: Pick<LiveMessage, "kind" | "part">, text: string): void;
  /** Ignores all later pieces. */
  close(): void;
}

export function createLiveTurn(
  bus: LiveBus,
  { run, turn }: Pick<LiveMessage, "run" | "turn">,
): LiveTurn {
  return {
    open: ({ key, epoch, signal }) => {
      const offsets = new Map<string, number>();
      let isOpen = true;
      let length = 0;
      return {
        write: ({ kind, part }, text) => {
          // Writers are foreign code, so their pieces are checked.
          if (!isOpen || signal.aborted || typeof text !== "string" || text === "") return;
          length += text.length;
          // A longer answer is refused when it is whole, so that its end is of no use to anybody.
          if (length > ANSWER_BYTES_MAX) return;
          const name = `${kind} ${part}`;
          const offset = offsets.get(name) ?? 0;
          offsets.set(name, offset + text.length);
          try {
            bus.publish({ run, turn, kind, key, part, epoch, offset, text });
          } catch {
            // Nobody watches, then.
          }
        },
        close: () => {
          isOpen = false;
        },
      };
    },
  };
}
