/**
 * What a turn is writing right now, told to whoever watches.
 *
 * It is told and never waited for: a bus that is away or broken, or that throws, changes nothing.
 */
import type { LiveBus, LiveMessage } from "@turnseal/ports";
import { ANSWER_BYTES_MAX } from "./limits.ts";
import type { ActGiven } from "./step/action.ts";

export interface LiveTurn {
  /** Opens what one attempt of an action writes. */
  open(given: Pick<ActGiven, "key" | "epoch" | "signal">): LiveWriter;
}

export interface LiveWriter {
  /** Tells the next piece of a part. After the end of the attempt, nothing is told. */
  write(message: Pick<LiveMessage, "kind" | "part">, text: string): void;
  /** From here on whoever writes is not heard. */
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
          // Whoever writes is foreign code, and what it says is not trusted to be what it should.
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
